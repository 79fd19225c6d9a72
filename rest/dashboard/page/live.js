// Updates a page with open payments or deliveries: fetches it periodically and replaces the changed content, unless the user
// is editing a form or reads a part that was opened. Elements with data-own are drawn by a script of their own: they stay while the page
// has them, and their scripts receive the event "live".
'use strict';
const every = Number(document.querySelector('main[data-live]')?.dataset.live) || 1000; // milliseconds
let shown = document.querySelector('main[data-live]')?.innerHTML; // as the server sent it
function busy(main) {
  if (document.hidden || main.querySelector('details[open]')) return true;
  const focused = document.activeElement;
  // A link to a wallet has the focus when the user comes back from there.
  if (main.contains(focused) && /^(INPUT|SELECT|TEXTAREA|BUTTON|A|SUMMARY)$/.test(focused.tagName) && !focused.closest('[data-own], .wallet')) return true;
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
        if (next && next.innerHTML !== shown && !busy(main)) {
          shown = next.innerHTML;
          for (const own of main.querySelectorAll('[data-own]')) next.querySelector(`#${own.id}`)?.replaceWith(own);
          main.replaceWith(next);
          document.dispatchEvent(new Event('live'));
        }
      }
    } catch { /* the next request may succeed */ }
  }
  setTimeout(update, every);
}
setTimeout(update, every);
