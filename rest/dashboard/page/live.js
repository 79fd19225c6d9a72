// Keeps a page up to date on which something is on its way: what changed is asked for and put in place, unless somebody
// is at work there or has filled in something.
'use strict';
const every = 1000;
function busy(main) {
  if (document.hidden) return true;
  if (main.contains(document.activeElement) && /^(INPUT|SELECT|TEXTAREA|BUTTON)$/.test(document.activeElement.tagName)) return true;
  return [...main.querySelectorAll('input, select, textarea')].some((field) => {
    if (field.tagName === 'SELECT') {
      const given = [...field.options].find((o) => o.defaultSelected) ?? field.options[0];
      return given !== undefined && !given.selected;
    }
    return /^(checkbox|radio)$/.test(field.type) ? field.checked !== field.defaultChecked : field.value !== field.defaultValue;
  });
}
async function look() {
  const main = document.querySelector('main[data-live]');
  if (!main) return;
  if (!busy(main)) {
    try {
      const answer = await fetch(location.href, { headers: { Accept: 'text/html' }, redirect: 'error' });
      if (answer.ok) {
        const next = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('main');
        // Work may have begun while the answer was on its way.
        if (next && next.innerHTML !== main.innerHTML && !busy(main)) main.replaceWith(next);
      }
    } catch { /* the next look may do better */ }
  }
  setTimeout(look, every);
}
setTimeout(look, every);
