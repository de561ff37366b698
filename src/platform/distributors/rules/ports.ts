// SPDX-License-Identifier: Apache-2.0
import type { ChannelRef } from '../../../channels/channelKey.ts';
import type { Versioned } from '../../../channels/ports.ts';
import type { AuditEntry } from '../../audit/rules/auditEntry.ts';
import type { Distributor } from './distributor.ts';

/** When each key was used last, by its hash; milliseconds. */
export type KeyUses = ReadonlyMap<string, number>;

/** With an entry of the audit log, which is stored in the same transaction. */
export type DistributorStore = {
  /** Of a channel, newest first. */
  list(channel: ChannelRef): Promise<Versioned<Distributor>[]>;
  find(channel: ChannelRef, id: string): Promise<Versioned<Distributor> | undefined>;
  /** Those that one of their keys identifies, by its hash. A key may be outdated: see `admits`. */
  byHash(hashes: readonly string[]): Promise<ReadonlyMap<string, Distributor>>;
  /** @returns false if the id exists, or the channel has the most */
  insert(distributor: Distributor, entry: AuditEntry): Promise<boolean>;
  /** @returns false if it has changed since */
  replace(distributor: Versioned<Distributor>, entry: AuditEntry): Promise<boolean>;
  remove(distributor: Versioned<Distributor>, entry: AuditEntry): Promise<boolean>;
  /** When the keys of a channel were used last. */
  uses(channel: ChannelRef): Promise<KeyUses>;
  noteUses(uses: KeyUses): Promise<void>;
};
