// Shows this server's description of itself; requests go to this server only.
window.ui = SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#routes',
  deepLinking: true,
  displayRequestDuration: true,
  docExpansion: 'list',
  filter: true,
  persistAuthorization: true,
  tryItOutEnabled: true,
  validatorUrl: null,
});
