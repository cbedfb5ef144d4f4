// Keeps the frame of the pages and the latest copy of a player's own pages, for when there is no connection.
// With one, everything comes from the network: what is seen is never older than it must be.
// Shows what the service tells a phone that lies in a pocket; a tap on it opens the player's evening.

const CACHE = "ludoscore";
const OFFLINE = "{{ offline|escapejs }}";
const STATIC = "{{ static|escapejs }}";
const SHELL = [{% for address in shell %}"{{ address|escapejs }}", {% endfor %}];
const OWN = /^\/e\/\w+\/(me|table\/\w+)\/$/;

addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(SHELL)).then(() => skipWaiting()));
});

addEventListener("activate", (event) => event.waitUntil(clients.claim()));

// Copies of own pages go when the phone may not see the page any more, with the evening all of its event; and when the page
// is shown to somebody else than they were.
const GONE = [403, 404, 410];
const whose = (answer) => answer.headers.get("{{ whose|escapejs }}");

async function tidy(cache, pathname, answer) {
  const isGone = GONE.includes(answer.status) || answer.type === "opaqueredirect";
  if (!isGone && !answer.ok) return;
  const part = isGone && !pathname.endsWith("/me/") ? pathname : pathname.match(/^\/e\/\w+\//)[0];
  for (const each of await cache.keys()) {
    if (!new URL(each.url).pathname.startsWith(part)) continue;
    const kept = await cache.match(each, { ignoreVary: true });
    if (isGone || (kept && whose(kept) !== whose(answer))) await cache.delete(each, { ignoreVary: true });
  }
}

async function freshOrKept(request, isKept) {
  const cache = await caches.open(CACHE);
  const { pathname } = new URL(request.url);
  try {
    const answer = await fetch(request);
    if (OWN.test(pathname)) await tidy(cache, pathname, answer);
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

addEventListener("push", (event) => {
  const { title, body, lang, tag, url } = event.data.json();
  const shown = registration.showNotification(title, { body, lang, tag, renotify: true, vibrate: [200, 100, 200], data: url });
  event.waitUntil(shown);
});

async function open(path) {
  const windows = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const known = windows.find((each) => new URL(each.url).pathname === path);
  return known ? known.focus() : clients.openWindow(path);
}

addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data));
});
