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
