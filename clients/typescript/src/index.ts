export * from './client.js';
export * from './error.js';
export * from './generated.js';
