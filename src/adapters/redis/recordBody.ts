// SPDX-License-Identifier: Apache-2.0
// What identifies and describes the record of a break, next to the record itself.
import { createHash } from 'node:crypto';
import type { BreakRecord } from '../../ads/record/breakRecord.ts';
import { storedFill } from '../../sessions/history/breakFill.ts';
import { hasAds } from '../../sessions/sessionRules.ts';

/** Whether viewers got ads (`1` or `0`), then what identifies the record: versions may compress the same record differently. */
const digestOf = (record: BreakRecord): string =>
  (hasAds(record) ? '1' : '0') + createHash('sha1').update(JSON.stringify(record)).digest('base64url').slice(0, 16);

/** The digest of a record and, on the next line, how its break was filled. Scripts store them apart (viewsOf.ts). */
export const labelOf = (record: BreakRecord): string => `${digestOf(record)}\n${storedFill(record)}`;
