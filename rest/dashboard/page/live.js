// Updates a page with open payments or deliveries: fetches it periodically and replaces the changed content, unless the user
// is editing a form or reads a part that was opened; the state of a payment is shown in any case. Adds to a page what needs a script:
// buttons that copy, and times in the zone of the browser. Elements with data-own are drawn by a script of their own: they stay while the page
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

// What a buyer waits for: whether a payment has arrived.
const stateOf = (main) => main.querySelector('.state')?.outerHTML;

/** Copies by a selection where there is no clipboard, which browsers give to pages from HTTPS only. */
async function copy(value, button) {
  const text = button.firstChild;
  try {
    await navigator.clipboard.writeText(value);
  } catch {
    const area = document.createElement('textarea');
    area.value = value;
    area.className = 'hidden';
    button.after(area);
    area.select();
    document.execCommand('copy');
    area.remove();
    button.focus();
  }
  text.textContent = 'Copied';
  setTimeout(() => { text.textContent = 'Copy'; }, 1500);
}

function addCopy(element, value, name) {
  const button = document.createElement('button'), text = document.createElement('span'), what = document.createElement('span');
  button.type = 'button';
  button.className = 'quiet copy';
  text.textContent = 'Copy';
  what.className = 'hidden';
  what.textContent = ` ${name}`;
  button.append(text, what);
  button.addEventListener('click', () => void copy(value, button));
  element.after(button);
}

function decorate(main) {
  for (const field of main.querySelectorAll('input[readonly][id]')) addCopy(field, field.value, field.labels?.[0]?.textContent ?? field.id);
  for (const link of main.querySelectorAll('[data-copy]')) addCopy(link, link.dataset.copy, 'link');
  for (const time of main.querySelectorAll('time[datetime]')) {
    const at = new Date(time.dateTime);
    if (at.getTimezoneOffset() !== 0) time.append(`, ${at.toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' })} in your time zone`);
  }
}

const maxFailures = 3; // in a row, before the page says that it is not up to date
let failures = 0;
let signedOut = false;

/** Shows a note of a kind, or removes it. It begins with a link, if it has one. */
function note(main, kind, needed, text, link) {
  const shownNote = main.querySelector(`[data-note="${kind}"]`);
  if (!needed) shownNote?.remove();
  else if (!shownNote) {
    const paragraph = document.createElement('p');
    paragraph.className = 'error';
    paragraph.setAttribute('role', 'status');
    paragraph.dataset.note = kind;
    if (link) {
      const a = document.createElement('a');
      a.href = location.href;
      a.textContent = link;
      paragraph.append(a);
    }
    paragraph.append(text);
    main.append(paragraph);
  }
}

function notes(main) {
  note(main, 'lost', failures >= maxFailures, 'The service cannot be reached, so this page may be out of date. It updates by itself when the service responds again.');
  note(main, 'out', signedOut, ' to update this page: the session has ended.', 'Sign in again');
}

async function update() {
  const main = document.querySelector('main[data-live]');
  if (!main) return;
  if (!busy(main) || (!document.hidden && stateOf(main))) {
    try {
      failures++;
      const response = await fetch(location.href, { headers: { Accept: 'text/html' }, redirect: 'manual' });
      signedOut = response.type === 'opaqueredirect'; // to the form for signing in
      if (response.ok || signedOut) failures = 0;
      if (response.ok) {
        const next = new DOMParser().parseFromString(await response.text(), 'text/html').querySelector('main');
        // The user may have started to edit while the request was in flight.
        if (next && next.innerHTML !== shown && (!busy(main) || stateOf(next) !== stateOf(main))) {
          shown = next.innerHTML;
          decorate(next);
          for (const own of main.querySelectorAll('[data-own]')) next.querySelector(`#${own.id}`)?.replaceWith(own);
          main.replaceWith(next);
          document.dispatchEvent(new Event('live'));
        }
      }
    } catch { /* the next request may succeed */ }
    notes(document.querySelector('main'));
  }
  setTimeout(update, every);
}
decorate(document.querySelector('main'));
setTimeout(update, every);
