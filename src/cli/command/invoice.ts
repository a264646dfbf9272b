import type { InvoiceRow } from '../../store/billing/invoice.js';
import { isUuid } from '../../uuid.js';
import { readOrganizationId } from '../option/organization.js';
import { type CommandContext, defineCommand, UsageError } from '../terminal/command.js';
import { day, dollars } from '../terminal/format.js';
import type { Output } from '../terminal/output.js';

const LIMIT = 1000;
const STATES = ['open', 'paid', 'void'] as const;

const readState = (text: unknown): InvoiceRow['state'] => {
  const state = STATES.find((one) => one === text);
  if (state) return state;
  throw new UsageError(`--state is one of ${STATES.join(', ')}, not "${String(text)}".`);
};

const readInvoiceId = (text: unknown): string => {
  if (isUuid(text)) return text.toLowerCase();
  throw new UsageError(`"${String(text)}" is no id of an invoice: \`castellan invoice list\` shows them.`);
};

export const invoiceListCommand = defineCommand({
  name: 'invoice list',
  summary: `List invoices, newest first (at most ${LIMIT}): what each is for, what is due, and whether it is paid`,
  examples: [
    ['castellan invoice list --state open', 'list those that wait for payment'],
    ["castellan invoice list --state open --json | jq 'map(.amount_cents) | add'", 'add up what is due, in cents'],
  ],
  configure: (command) =>
    command
      .option('--organization <id>', 'only those of this organization')
      .option('--state <state>', `only those that are ${STATES.join(', ')}`),
  input: ({ options: { organization, state } }) => ({
    organizationId: organization === undefined ? null : readOrganizationId(organization),
    state: state === undefined ? null : readState(state),
  }),
  run: async ({ openDatabase }, of, output) => {
    const { selectInvoices } = await import('../../store/billing/invoice.js');
    const invoices = (await selectInvoices(await openDatabase(), { ...of, limit: LIMIT })).map((invoice) => ({
      id: invoice.id,
      organization_id: invoice.organizationId,
      plan: invoice.planId,
      period_start: invoice.periodStart,
      period_end: invoice.periodEnd,
      price_cents: invoice.priceCents,
      credit_cents: invoice.creditCents,
      amount_cents: invoice.amountCents,
      state: invoice.state,
      created_at: invoice.createdAt,
    }));
    const isNarrowed = of.organizationId !== null || of.state !== null;
    const none = isNarrowed ? 'No invoice is of that organization or state.' : 'There is no invoice yet.';
    output.list(invoices, none, {
      Id: 'id',
      Organization: 'organization_id',
      Plan: 'plan',
      Period: (invoice) => `${day(invoice.period_start)} to ${day(invoice.period_end)}`,
      Price: (invoice) => dollars(invoice.price_cents),
      Credit: (invoice) => dollars(invoice.credit_cents),
      Due: (invoice) => dollars(invoice.amount_cents),
      State: 'state',
      Made: (invoice) => day(invoice.created_at),
    });
  },
});

/** Rejects invoices of a payment provider, which only the provider can settle or void. */
const end = async (
  { openDatabase }: CommandContext,
  { id, as }: { readonly id: string; readonly as: 'paid' | 'void' },
  output: Output,
): Promise<void> => {
  const { endInvoice } = await import('../../billing/plan/invoice-settlement.js');
  const db = await openDatabase();
  const { amountCents, creditCents } = await endInvoice(db, { id, as, now: new Date() });
  output.result({ id, state: as, amount_cents: amountCents, credit_cents: creditCents });
  if (as === 'paid') output.note(`The invoice is paid: ${dollars(amountCents)}.`);
  else
    output.note(`The invoice is void: ${dollars(amountCents)} is not due, ${dollars(creditCents)} is credited again.`);
};

export const invoiceSettleCommand = defineCommand({
  name: 'invoice settle',
  summary: 'Note that an open invoice was paid (with CASTELLAN_LEDGER_SETTLEMENT=open)',
  examples: [
    ['castellan invoice settle 6d1c8f1e-3a47-4f0b-9c55-2f6f3b1f0a11', 'note that it was paid'],
    [
      "castellan invoice settle 6d1c8f1e-3a47-4f0b-9c55-2f6f3b1f0a11 --json | jq '.amount_cents'",
      'print what was paid, in cents',
    ],
  ],
  configure: (command) => command.argument('<invoice>', 'its id, as `invoice list` shows it'),
  input: ({ args }) => ({ id: readInvoiceId(args[0]) }),
  run: (context, { id }, output) => end(context, { id, as: 'paid' }, output),
});

export const invoiceVoidCommand = defineCommand({
  name: 'invoice void',
  summary: 'Take an open invoice back: it is not due any more, and the credit that it took is there again',
  examples: [
    ['castellan invoice void 6d1c8f1e-3a47-4f0b-9c55-2f6f3b1f0a11', 'take it back'],
    [
      "castellan invoice void 6d1c8f1e-3a47-4f0b-9c55-2f6f3b1f0a11 --json | jq '.credit_cents'",
      'print what is credited, in cents',
    ],
  ],
  configure: (command) => command.argument('<invoice>', 'its id, as `invoice list` shows it'),
  input: ({ args }) => ({ id: readInvoiceId(args[0]) }),
  run: (context, { id }, output) => end(context, { id, as: 'void' }, output),
});
