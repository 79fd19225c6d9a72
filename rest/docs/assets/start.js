// Shows this server's description of itself; requests go to this server only.

// told says the default of a parameter in words. The page would fill in a default and send it, while a request should say
// what its author wants said, and nothing else.
const told = (value) => {
  if (Array.isArray(value)) return value.map(told);
  if (value === null || typeof value !== 'object') return value;
  const copy = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, told(member)]));
  if (typeof copy.in === 'string' && copy.schema?.default !== undefined) {
    copy.description = `${copy.description ?? ''} Default: ${copy.schema.default}.`.trim();
    delete copy.schema.default;
  }
  return copy;
};

const withoutDefaults = () => ({
  statePlugins: { spec: { wrapActions: { updateJsonSpec: (update) => (document) => update(told(document)) } } },
});

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
