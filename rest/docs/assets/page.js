// Makes the examples of an API page requests that can be changed and sent. They go to this server only.

const each = (selector, use, within = document) => within.querySelectorAll(selector).forEach(use);
const maxShown = 200_000; // characters of a response
const timeout = 60_000; // ms
const shownHeaders = ['x-mc-seqno', 'x-next-cursor', 'link', 'x-unknown-parameters', 'retry-after', 'ratelimit', 'x-request-id'];

// The key stays in this tab.
const key = document.getElementById('key');
const storage = 'tonql-api-key ' + key.dataset.header;
key.value = sessionStorage.getItem(storage) ?? '';
key.addEventListener('input', () => { sessionStorage.setItem(storage, key.value); each('.op[open] form', describe); });

// requestOf returns the request that the fields of a form describe.
function requestOf(form) {
  const { method, path } = form.closest('.op').dataset;
  const query = new URLSearchParams();
  const headers = {};
  each('[data-in]', ({ name, value, tagName, dataset }) => {
    const values = (tagName === 'TEXTAREA' ? value.split('\n') : [value]).map((v) => v.trim()).filter(Boolean);
    for (const v of values) {
      if (dataset.in === 'header') headers[name] = v;
      else query.append(name, v);
    }
  }, form);
  if (key.value) headers[key.dataset.header] = key.value;
  const body = form.elements.namedItem('body')?.value;
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const text = query.toString().replaceAll('%3A', ':').replaceAll('%2C', ',');
  return { method, url: path + (text && `?${text}`), headers, body };
}

const quote = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

// commandOf returns a request as a command of curl. The key is a variable of the shell, so that it is in no history.
function commandOf({ method, url, headers, body }) {
  const parts = ['curl'];
  if (method !== 'GET' && body === undefined) parts.push(`-X ${method}`);
  for (const [name, value] of Object.entries(headers)) {
    parts.push(name === key.dataset.header ? `-H "${name}: $API_KEY"` : `-H ${quote(`${name}: ${value}`)}`);
  }
  if (body !== undefined) parts.push(`-d ${quote(body)}`);
  parts.push(quote(location.origin + url));
  return parts.join(' ');
}

function describe(form) {
  const command = form.querySelector('.command');
  command.textContent = commandOf(requestOf(form));
  command.hidden = false;
}

// indented breaks JSON into lines. It copies the text, because JavaScript cannot hold every number of JSON.
function indented(text) {
  let out = '', depth = 0, quoted = false;
  const line = () => `\n${'  '.repeat(depth)}`;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (quoted) {
      out += c === '\\' ? c + (text[++i] ?? '') : c;
      quoted = c !== '"';
    } else if (c === '"') {
      out += c;
      quoted = true;
    } else if (c === '{' || c === '[') {
      const empty = text[i + 1] === (c === '{' ? '}' : ']');
      out += empty ? c + text[++i] : c + (depth++, line());
    } else if (c === '}' || c === ']') {
      depth = Math.max(0, depth - 1);
      out += line() + c;
    } else if (c === ',') out += c + line();
    else if (c === ':') out += ': ';
    else if (!/\s/.test(c)) out += c;
  }
  return out;
}

async function send(form) {
  const request = requestOf(form);
  const result = form.querySelector('.result');
  const status = result.querySelector('.status');
  const show = (text, good, headers, content) => {
    status.textContent = text;
    status.className = `status ${good ? 'ok' : 'bad'}`;
    result.querySelector('.headers').textContent = headers;
    result.querySelector('.content').textContent = content.length > maxShown ? `${content.slice(0, maxShown)}\n… (${content.length} characters)` : content;
    result.hidden = false;
  };
  const began = performance.now();
  try {
    const response = await fetch(request.url, { method: request.method, headers: request.headers, body: request.body, signal: AbortSignal.timeout(timeout) });
    const text = await response.text();
    const headers = shownHeaders.filter((name) => response.headers.has(name)).map((name) => `${name}: ${response.headers.get(name)}`).join('\n');
    show(`${response.status}, ${Math.round(performance.now() - began)} ms, ${text.length} characters`, response.ok, headers, response.headers.get('content-type')?.includes('json') && text.length <= maxShown ? indented(text) : text);
    // A transfer that was registered here is the example of the operations that name it.
    const reference = response.ok && request.method === 'POST' && text.length < maxShown && text.includes('"reference"') && JSON.parse(text).reference;
    if (reference) each('input[name=reference]', (input) => { input.value = reference; });
  } catch (error) {
    show(error.name === 'TimeoutError' ? `no response within ${timeout / 1000} s` : 'the service cannot be reached', false, '', '');
  }
}

// Browsers offer the clipboard to pages from HTTPS and from this machine only.
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    area.className = 'offscreen';
    document.body.append(area);
    area.select();
    try { return document.execCommand('copy'); } finally { area.remove(); }
  }
}

each('.op form', (form) => {
  form.querySelector('.buttons').hidden = false;
  form.addEventListener('submit', (event) => { event.preventDefault(); void send(form); });
  form.addEventListener('input', () => describe(form));
  form.addEventListener('reset', () => setTimeout(() => describe(form)));
  const button = form.querySelector('.copy');
  const label = button.textContent;
  button.addEventListener('click', async () => {
    if (!await copy(form.querySelector('.command').textContent)) return;
    button.focus();
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = label; }, 1500);
  });
});
each('.op', (op) => op.addEventListener('toggle', () => { each('form', (form) => op.open && describe(form), op); }));

// A link to an operation or a schema opens it.
function reveal() {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const details = target && target.closest('details');
  if (!details) return;
  details.open = true;
  details.scrollIntoView();
  details.querySelector('summary').focus({ preventScroll: true });
}
addEventListener('hashchange', reveal);
reveal();

// The filter keeps the operations with every word in the path or the summary.
const filter = document.getElementById('filter');
filter.addEventListener('input', () => {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  each('.group', (group) => {
    let within = 0;
    each('.op', (op) => {
      const text = op.querySelector('summary').textContent.toLowerCase();
      op.hidden = !words.every((word) => text.includes(word));
      if (!op.hidden) within++;
    }, group);
    group.hidden = within === 0;
    shown += within;
  });
  document.querySelector('.none').hidden = shown > 0;
});
