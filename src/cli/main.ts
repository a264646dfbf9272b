#!/usr/bin/env node
// Nothing else is imported before the version of Node.js is known: an old one fails in the words of a module.

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major > 20 || (major === 20 && minor >= 19)) void import('./start.js');
else {
  const found = `Castellan needs Node.js 20.19 or newer, and this is ${process.version}`;
  process.stderr.write(`${found} (${process.execPath}). Install a current version from https://nodejs.org.\n`);
  process.exitCode = 1;
}
