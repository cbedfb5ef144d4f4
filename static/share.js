// Links to a picture open the sheet of the phone on which things are shared, with the picture itself. Where there is
// none, or it is refused, they stay what they are: links that save the picture.

async function share(link) {
  const answer = await fetch(link.href);
  if (!answer.ok) throw new Error(`${answer.status} ${link.href}`);
  const file = new File([await answer.blob()], link.download || "ludoscore.png", { type: "image/png" });
  await navigator.share({ files: [file], title: link.dataset.share });
}

const canShare = navigator.canShare?.({ files: [new File([], "a.png", { type: "image/png" })] });
if (canShare) {
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-share]");
    if (!link) return;
    event.preventDefault();
    share(link).catch((error) => {
      if (error.name !== "AbortError") location.assign(link.href); // whoever changes their mind wants no picture
    });
  });
}
