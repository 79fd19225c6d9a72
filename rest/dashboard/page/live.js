// Updates a page with open payments or deliveries: fetches it periodically and replaces the changed content, unless the user
// is editing a form or reads a part that was opened.
'use strict';
const every = Number(document.querySelector('main[data-live]')?.dataset.live) || 1000; // milliseconds
function busy(main) {
  if (document.hidden || main.querySelector('details[open]')) return true;
  if (main.contains(document.activeElement) && /^(INPUT|SELECT|TEXTAREA|BUTTON|A|SUMMARY)$/.test(document.activeElement.tagName)) return true;
  return [...main.querySelectorAll('input, select, textarea')].some((field) => {
    if (field.tagName === 'SELECT') {
      const given = [...field.options].find((o) => o.defaultSelected) ?? field.options[0];
      return given !== undefined && !given.selected;
    }
    return /^(checkbox|radio)$/.test(field.type) ? field.checked !== field.defaultChecked : field.value !== field.defaultValue;
  });
}
async function update() {
  const main = document.querySelector('main[data-live]');
  if (!main) return;
  if (!busy(main)) {
    try {
      const response = await fetch(location.href, { headers: { Accept: 'text/html' }, redirect: 'error' });
      if (response.ok) {
        const next = new DOMParser().parseFromString(await response.text(), 'text/html').querySelector('main');
        // The user may have started to edit while the request was in flight.
        if (next && next.innerHTML !== main.innerHTML && !busy(main)) main.replaceWith(next);
      }
    } catch { /* the next request may succeed */ }
  }
  setTimeout(update, every);
}
setTimeout(update, every);
