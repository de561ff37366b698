// SPDX-License-Identifier: Apache-2.0
// What this module needs from outside: the list of publications, systems, and the media that Midroll serves.

import type { Versioned } from '../../../channels/ports.ts';
import type { PackagedMedia } from '../../../ingest/package/packagedMedia.ts';
import type { Millis } from '../../../time/units.ts';
import type { AuditEntry } from '../../audit/rules/auditEntry.ts';
import type { System } from './system.ts';

/** A creative at a length of `frames`, in a container. */
export type Publication = { readonly location: string; readonly edition: string; readonly frames: number };

export type PublicationRow = Publication & {
  readonly state: 'wanted' | 'published' | 'going';
  readonly objects: number;
  readonly bytes: number;
  readonly tries: number;
  /** When it is to be processed. A claim moves this forward. */
  readonly dueAt: Millis;
  readonly usedAt: Millis;
  readonly changedAt: Millis;
};

/** The result of the latest check of a container by any process. */
export type ContainerState = {
  readonly location: string;
  /** Why players cannot be redirected to it. Absent if they can. */
  readonly reason?: string;
  readonly checkedAt: Millis;
};

export type PublicationStore = {
  /** Records that a creative is used. A new publication gets the state `wanted`. */
  want(publication: Publication, now: Millis): Promise<void>;
  /** Publications in the states `wanted` and `going` that are due. */
  due(locations: readonly string[], now: Millis, limit: number): Promise<PublicationRow[]>;
  /** @returns false if another process has claimed it */
  claim(row: PublicationRow, until: Millis): Promise<boolean>;
  /** Stores the outcome. */
  settle(row: PublicationRow, change: Partial<Omit<PublicationRow, keyof Publication>>): Promise<void>;
  forget(publication: Publication): Promise<void>;
  /** The number of publications in each state. */
  tally(location: string): Promise<{ readonly waiting: number; readonly published: number }>;
  all(location: string): Promise<PublicationRow[]>;
  changedSince(at: Millis): Promise<PublicationRow[]>;
  noteState(state: ContainerState): Promise<void>;
  states(): Promise<ContainerState[]>;
};

/** The media that Midroll serves. */
export type ServedMedia = {
  find(mediaId: string): PackagedMedia | undefined;
  /** Makes media known to `find` that other nodes have made. @returns false if the store of media does not respond */
  load(mediaIds: readonly string[]): Promise<boolean>;
  openSegment(
    mediaId: string,
    frames: string,
    rungId: string,
    name: string,
  ): Promise<{ readonly bytes: Uint8Array; readonly contentType: string } | undefined>;
  /** Keeps media from being deleted that players are redirected to elsewhere. */
  markUsed(mediaId: string): void;
};

/** Records of which a tenant has few. With an entry of the audit log, a change stores it in the same transaction. */
export type RecordStore<Row> = {
  /** Inserts version 0; returns false if the tenant has a record with this id, or the most records. */
  insert(record: Row, entry?: AuditEntry): Promise<boolean>;
  find(tenant: string, id: string): Promise<Versioned<Row> | undefined>;
  /** Newest first. */
  list(tenant: string): Promise<Versioned<Row>[]>;
  /** `version` is the one that was read; it is incremented. False if the record was changed or removed since. */
  replace(record: Versioned<Row>, entry?: AuditEntry): Promise<boolean>;
  remove(tenant: string, id: string, version?: number, entry?: AuditEntry): Promise<boolean>;
};

export type SystemStore = RecordStore<System>;
