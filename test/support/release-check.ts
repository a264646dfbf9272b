import { afterAll } from 'vitest';
import { requireReleased } from './database-lease.js';

// Hooks that end a file run in reverse order, so this one, which comes before those of the file, runs after them.
afterAll(requireReleased);
