import type { Tables } from './tables.js';

/** An address, or a cast whose hash is 40 hex digits without 0x. */
export type CastRowEmbed = { readonly url: string } | { readonly fid: number; readonly hash: string };

/** 0 Ethereum or 1 Solana. */
type Verification = [protocol: number, address: string];

/** A key of 32 bytes whose last 20 are the address, and the account of the app that requested it. */
type AuthKey = [key: string, requestFid: number | null];

/** Tokens of one host with the same outcome. */
export interface OutcomeCount {
  readonly clientFid: number;
  readonly state: Tables['campaign_recipient']['state'];
  readonly reason: string | null;
  readonly count: number;
}

/** How often the users of one host opened a notification. */
export interface OpenCount {
  readonly clientFid: number;
  readonly total: number;
  readonly users: number;
}

/** The time in protocol seconds up to which notifications of a kind were seen. */
type SeenMark = readonly [kind: number, ts: number];

interface CollectionConfig {
  readonly name?: string;
  readonly description?: string;
  readonly image?: string;
  readonly external_link?: string;
  readonly max_supply?: number;
}

/**
 * Types of columns of which PostgreSQL knows less: what their JSON holds, or which numbers or texts. The name is that of
 * the table and column, or of the statement and column where it is computed.
 */
export interface ColumnTypes {
  'account_by_fid.authKeys': AuthKey[];
  'account_by_fid.verifications': Verification[];
  'audit_log.detail': Readonly<Record<string, unknown>>;
  'campaign.result': readonly OutcomeCount[];
  'campaign_report_list.counts': readonly OutcomeCount[];
  'campaign_report_list.opens': readonly OpenCount[];
  'campaign_report_one.counts': readonly OutcomeCount[];
  'campaign_report_one.opens': readonly OpenCount[];
  'cast_by_hash.embeds': readonly CastRowEmbed[];
  'cast.embeds': readonly CastRowEmbed[];
  /** The request that deployed it; empty for a collection that was deployed elsewhere. */
  'collection.config': CollectionConfig;
  /** Why a shard's accounts are synced: for the first time, on request after that, or events were missed. */
  'hub_sync.reason': 'first' | 'again' | 'gap';
  'notification_unseen.marks': readonly SeenMark[];
  'notification_unseen_under_url.marks': readonly SeenMark[];
  'refused_item.kind': 'message' | 'removal' | 'onchain' | 'proof';
  'refused_item.removal_reason': 'prune' | 'revoke' | 'replaced';
  'select_open_registry_transactions.state': 'pending' | 'stored';
  'signed_key_request.key_type': 1 | 2;
  'token_metadata.metadata': object;
  'url_metadata.metadata': object;
}
