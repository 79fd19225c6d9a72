// Shows the OpenAPI document of this server. Requests go to this server only.

// describeDefaults moves the default of each parameter into its description. Swagger UI would otherwise fill in defaults
// and send them, while a request should contain only the parameters that its author has set.
const describeDefaults = (value) => {
  if (Array.isArray(value)) return value.map(describeDefaults);
  if (value === null || typeof value !== 'object') return value;
  const copy = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, describeDefaults(member)]));
  if (typeof copy.in === 'string' && copy.schema?.default !== undefined) {
    copy.description = `${copy.description ?? ''} Default: ${copy.schema.default}.`.trim();
    delete copy.schema.default;
  }
  return copy;
};

const withoutDefaults = () => ({
  statePlugins: { spec: { wrapActions: { updateJsonSpec: (update) => (document) => update(describeDefaults(document)) } } },
});

// The page is as light or dark as the reader's system.
const dark = matchMedia('(prefers-color-scheme: dark)');
const dress = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', dress);
dress();

window.ui = SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#routes',
  plugins: [withoutDefaults],
  deepLinking: true,
  displayRequestDuration: true,
  docExpansion: 'list',
  filter: true,
  persistAuthorization: true,
  tryItOutEnabled: true,
  validatorUrl: null,
});

// Swagger UI leaves lists without a name for screen readers, listings that the keyboard cannot scroll, parts outside of any
// landmark, and headings whose level skips one.
const landmarks = { 'information-container': 'About', 'scheme-container': 'Server and key', 'filter-container': 'Filter' };
const complete = () => {
  const each = (selector, change) => document.querySelectorAll('#routes ' + selector).forEach(change);
  each('select:not([aria-label])', (list) => {
    const parameter = list.closest('tr[data-param-name]')?.dataset.paramName;
    list.setAttribute('aria-label', parameter ?? (list.id === 'servers' ? 'Server' : 'Media type'));
  });
  each('pre.microlight:not([tabindex])', (listing) => { listing.tabIndex = 0; });
  for (const [name, label] of Object.entries(landmarks)) {
    each(`.${name}:not([role])`, (part) => { part.setAttribute('role', 'region'); part.setAttribute('aria-label', label); });
  }
  for (const level of [3, 4, 5]) each(`h${level}:not([aria-level])`, (heading) => heading.setAttribute('aria-level', level - 1));
};
new MutationObserver(complete).observe(document.getElementById('routes'), { childList: true, subtree: true });
