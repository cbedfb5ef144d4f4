// Keeps the frame of the pages and the latest copy of a player's own pages, for when there is no connection.
// With one, everything comes from the network: what is seen is never older than it must be.

const CACHE = "ludoscore";
const OFFLINE = "{{ offline|escapejs }}";
const STATIC = "{{ static|escapejs }}";
const SHELL = [{% for address in shell %}"{{ address|escapejs }}", {% endfor %}];
const OWN = /^\/e\/\w+\/(me|table\/\w+)\/$/;

addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(SHELL)).then(() => skipWaiting()));
});

addEventListener("activate", (event) => event.waitUntil(clients.claim()));

async function freshOrKept(request, isKept) {
  const cache = await caches.open(CACHE);
  try {
    const answer = await fetch(request);
    if (isKept && answer.ok) await cache.put(request, answer.clone());
    return answer;
  } catch (error) {
    const kept = await cache.match(request, { ignoreVary: true });
    if (kept) return kept;
    if (request.mode === "navigate") return cache.match(OFFLINE);
    throw error;
  }
}

addEventListener("fetch", (event) => {
  const { pathname, origin } = new URL(event.request.url);
  if (event.request.method !== "GET" || origin !== location.origin) return;
  const isPage = event.request.mode === "navigate";
  if (isPage || pathname.startsWith(STATIC)) {
    event.respondWith(freshOrKept(event.request, !isPage || OWN.test(pathname)));
  }
});
