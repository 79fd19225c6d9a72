// Keeps a page up to date on which something is on its way: what changed is asked for and put in place, unless somebody
// is typing there.
'use strict';
const every = 1000;
async function look() {
  const main = document.querySelector('main[data-live]');
  if (!main) return;
  const busy = main.contains(document.activeElement) && /^(INPUT|SELECT|TEXTAREA|BUTTON)$/.test(document.activeElement.tagName);
  if (!busy && !document.hidden) {
    try {
      const answer = await fetch(location.href, { headers: { Accept: 'text/html' }, redirect: 'error' });
      if (answer.ok) {
        const next = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('main');
        if (next && next.innerHTML !== main.innerHTML) main.replaceWith(next);
      }
    } catch { /* the next look may do better */ }
  }
  setTimeout(look, every);
}
setTimeout(look, every);
