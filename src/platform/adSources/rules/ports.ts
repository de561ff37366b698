// SPDX-License-Identifier: Apache-2.0
import type { CertifiedSource } from '../../../ads/request/ports.ts';
import type { AdSourceRecord } from '../../../channels/demand.ts';
import type { FindAdSources, LabelCount, Listed, Listing, RecordNames, Versioned } from '../../../channels/ports.ts';
import type { AuditEntry } from '../../audit/rules/auditEntry.ts';

/** The most ad sources of a tenant. */
export const MAX_AD_SOURCES = 1000;

export type SourceRef = { readonly tenant: string; readonly id: string };

/** `stamp` differs after each change; undefined if there is no such ad source. */
export type StampedSource = { readonly stamp: string | undefined; readonly source: AdSourceRecord | undefined };

/** With an entry of the audit log, a change stores it in the same transaction. */
export type AdSourceStore = {
  /** @returns false if the id exists, or the tenant has the most */
  insert(source: AdSourceRecord, entry?: AuditEntry): Promise<boolean>;
  find(tenant: string, id: string): Promise<Versioned<AdSourceRecord> | undefined>;
  /** As the store has them now. */
  findAll: FindAdSources;
  list(tenant: string, listing: Listing): Promise<Listed<Versioned<AdSourceRecord>>>;
  names(tenant: string, ids: readonly string[]): Promise<RecordNames>;
  labels(tenant: string): Promise<LabelCount[]>;
  /** @returns false if it has changed since */
  replace(source: Versioned<AdSourceRecord>, entry?: AuditEntry): Promise<boolean>;
  /** The stamps of all sources of the tenants, by `tenant/id`. */
  stamps(tenants: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** An entry for each of `refs`, by `tenant/id`. */
  read(refs: readonly SourceRef[]): Promise<ReadonlyMap<string, StampedSource>>;
  /** All sources with a client certificate, of all tenants. */
  certified(): Promise<readonly CertifiedSource[]>;
  /** Differs after each change of any ad source. */
  stampOfAll(): Promise<string>;
};
