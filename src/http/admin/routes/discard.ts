// SPDX-License-Identifier: Apache-2.0
// Deleting a record so that it can be restored: what the routes of records need of src/platform/deleted.
import { Type } from 'typebox';
import type { Versioned } from '../../../channels/ports.ts';
import { readQuery } from '../request/readQuery.ts';
import type { AdminRequest, OpenRequest } from '../request/route.ts';
import type { Headers, Owned } from './record.ts';

export type RestorableKind = 'playlist' | 'channel' | 'system';

/** @returns the headers of the response, or undefined if there is no such record or version, or if it is the last */
export type DiscardRecord = (
  kind: RestorableKind,
  record: Versioned<Owned & { readonly name?: string }>,
  request: Pick<AdminRequest, 'caller' | 'audit'>,
  conditions?: { readonly unlessLastOf?: readonly string[] },
) => Promise<Headers | undefined>;

export const restoreHeader = {
  'x-restore': 'Path that restores the record with POST, for 24 hours.',
};

export const forceQuery = Type.Object({
  force: Type.Optional(
    Type.Enum(['true', 'false'], { description: '`true` deletes the record even if that affects viewers or reports.' }),
  ),
});

/** @throws {AppError} VALIDATION_ERROR if it is neither `true` nor `false` */
export const isForced = ({ query }: Pick<OpenRequest, 'query'>): boolean =>
  readQuery(forceQuery, query).force === 'true';
