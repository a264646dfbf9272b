import {
  accountListCommand,
  accountSignInCommand,
  accountSignKeyCommand,
  accountVerifyAddressCommand,
} from './account.js';
import { appCreateCommand, appListCommand, appSetCommand } from './app.js';
import { auditCommand } from './audit.js';
import { authAddressApproveCommand, authAddressRevokeCommand } from './auth-address.js';
import { backfillCommand } from './backfill.js';
import type { CommandDefinition } from './command.js';
import { deliveryListCommand, deliveryRetryCommand } from './delivery.js';
import { doctorCommand } from './doctor.js';
import { exportCommand } from './export.js';
import { importCommand } from './import.js';
import { invoiceListCommand, invoiceSettleCommand, invoiceVoidCommand } from './invoice.js';
import { keyCreateCommand, keyListCommand, keyRevokeCommand, keyRotateCommand } from './key.js';
import { migrateCommand } from './migrate.js';
import { orgCreateCommand, orgListCommand, orgPlanCommand, orgSetCommand } from './org.js';
import { orgLogCommand } from './org-log.js';
import { refusedListCommand, refusedRetryCommand } from './refused.js';
import { secretRotateCommand } from './secret.js';
import { signerApproveCommand, signerListCommand, signerPermitCommand, signerRevokeCommand } from './signer.js';
import { walletCreateCommand, walletImportCommand, walletListCommand } from './wallet.js';

/** Every command that works on the stored data, in the order of the help. */
export const allCommands: readonly CommandDefinition[] = [
  importCommand,
  exportCommand,
  backfillCommand,
  orgCreateCommand,
  orgListCommand,
  orgPlanCommand,
  orgSetCommand,
  orgLogCommand,
  invoiceListCommand,
  invoiceSettleCommand,
  invoiceVoidCommand,
  appCreateCommand,
  appListCommand,
  appSetCommand,
  keyCreateCommand,
  keyListCommand,
  keyRotateCommand,
  keyRevokeCommand,
  signerApproveCommand,
  signerListCommand,
  signerPermitCommand,
  signerRevokeCommand,
  authAddressApproveCommand,
  authAddressRevokeCommand,
  accountListCommand,
  accountSignInCommand,
  accountSignKeyCommand,
  accountVerifyAddressCommand,
  walletCreateCommand,
  walletImportCommand,
  walletListCommand,
  deliveryListCommand,
  deliveryRetryCommand,
  refusedListCommand,
  refusedRetryCommand,
  secretRotateCommand,
  auditCommand,
  doctorCommand,
  migrateCommand,
];
