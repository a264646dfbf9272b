import {
  accountListCommand,
  accountSignInCommand,
  accountSignKeyCommand,
  accountSignManifestCommand,
  accountVerifyAddressCommand,
} from './command/account.js';
import { appCreateCommand, appSetCommand } from './command/app.js';
import { appListCommand } from './command/app-list.js';
import { auditCommand } from './command/audit.js';
import { authAddressApproveCommand, authAddressRevokeCommand } from './command/auth-address.js';
import { backfillCommand } from './command/backfill.js';
import { backupCommand, restoreCommand } from './command/backup.js';
import { channelAliasCommand, channelCreateCommand, channelLeadCommand, channelSetCommand } from './command/channel.js';
import { channelExportCommand, channelImportCommand } from './command/channel-file.js';
import { channelListCommand, channelShowCommand } from './command/channel-list.js';
import { deliveryListCommand, deliveryRetryCommand } from './command/delivery.js';
import { doctorCommand } from './command/doctor.js';
import { exportCommand } from './command/export.js';
import { importCommand } from './command/import.js';
import { invoiceListCommand, invoiceSettleCommand, invoiceVoidCommand } from './command/invoice.js';
import { keyCreateCommand, keyListCommand, keyRevokeCommand, keyRotateCommand } from './command/key.js';
import { migrateCommand } from './command/migrate.js';
import {
  miniAppFeatureCommand,
  miniAppHideCommand,
  miniAppListCommand,
  miniAppShowCommand,
} from './command/mini-app.js';
import { miniAppFetchCommand } from './command/mini-app-fetch.js';
import { orgCreateCommand, orgPlanCommand, orgSetCommand } from './command/org.js';
import { orgListCommand } from './command/org-list.js';
import { orgLogCommand } from './command/org-log.js';
import { refusedListCommand, refusedRetryCommand } from './command/refused.js';
import { secretRotateCommand } from './command/secret.js';
import { signerApproveCommand, signerListCommand, signerPermitCommand, signerRevokeCommand } from './command/signer.js';
import { walletCreateCommand, walletImportCommand, walletListCommand } from './command/wallet.js';
import { webhookListCommand, webhookRotateCommand } from './command/webhook.js';
import { webhookMatchCommand } from './command/webhook-match.js';
import { webhookReplayCommand } from './command/webhook-replay.js';
import { webhookTestCommand } from './command/webhook-test.js';
import type { CommandDefinition } from './terminal/command.js';

/** Every command that works on the stored data, in the order of the help. */
export const allCommands: readonly CommandDefinition[] = [
  migrateCommand,
  importCommand,
  exportCommand,
  backfillCommand,
  backupCommand,
  restoreCommand,
  refusedListCommand,
  refusedRetryCommand,
  accountListCommand,
  accountSignInCommand,
  accountSignKeyCommand,
  accountSignManifestCommand,
  accountVerifyAddressCommand,
  signerApproveCommand,
  signerListCommand,
  signerPermitCommand,
  signerRevokeCommand,
  authAddressApproveCommand,
  authAddressRevokeCommand,
  walletCreateCommand,
  walletImportCommand,
  walletListCommand,
  orgCreateCommand,
  orgListCommand,
  orgPlanCommand,
  orgSetCommand,
  orgLogCommand,
  appCreateCommand,
  appListCommand,
  appSetCommand,
  keyCreateCommand,
  keyListCommand,
  keyRotateCommand,
  keyRevokeCommand,
  invoiceListCommand,
  invoiceSettleCommand,
  invoiceVoidCommand,
  webhookListCommand,
  webhookRotateCommand,
  webhookTestCommand,
  webhookReplayCommand,
  webhookMatchCommand,
  deliveryListCommand,
  deliveryRetryCommand,
  channelListCommand,
  channelShowCommand,
  channelCreateCommand,
  channelSetCommand,
  channelLeadCommand,
  channelAliasCommand,
  channelImportCommand,
  channelExportCommand,
  miniAppListCommand,
  miniAppShowCommand,
  miniAppFetchCommand,
  miniAppFeatureCommand,
  miniAppHideCommand,
  doctorCommand,
  auditCommand,
  secretRotateCommand,
];
