import { auditCommand } from './audit.js';
import { backfillCommand } from './backfill.js';
import type { CommandDefinition } from './command.js';
import { doctorCommand } from './doctor.js';
import { exportCommand } from './export.js';
import { importCommand } from './import.js';
import { keyCreateCommand, keyListCommand, keyRevokeCommand, keyRotateCommand } from './key.js';
import { migrateCommand } from './migrate.js';

/** Every command that works on the stored data, in the order of the help. */
export const allCommands: readonly CommandDefinition[] = [
  importCommand,
  exportCommand,
  backfillCommand,
  keyCreateCommand,
  keyListCommand,
  keyRotateCommand,
  keyRevokeCommand,
  auditCommand,
  doctorCommand,
  migrateCommand,
];
