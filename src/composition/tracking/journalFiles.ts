// SPDX-License-Identifier: Apache-2.0
// Where the journal of a process is, for the thread that writes it and the one that records it.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Config } from '../../config.ts';

export type JournalFiles = {
  readonly folder: string;
  /** Begins the names of the entries of this process. */
  readonly owner: string;
  readonly maxBytes: number;
  /** Milliseconds without a write after which other processes take an entry. */
  readonly leftAfter: number;
};

const MEGABYTE = 1024 * 1024;
/** A process that records its entries every two seconds is suspended or has ended after this time. */
const LEFT_AFTER_MS = 10_000;

export const journalFiles = ({
  DATA_DIR,
  DELIVERY_SPOOL_MB,
}: Pick<Config, 'DATA_DIR' | 'DELIVERY_SPOOL_MB'>): JournalFiles => ({
  folder: join(DATA_DIR, 'deliveries'),
  owner: randomUUID(),
  maxBytes: DELIVERY_SPOOL_MB * MEGABYTE,
  leftAfter: LEFT_AFTER_MS,
});
