// SPDX-License-Identifier: Apache-2.0
// Deleted playlists, channels, systems and ad sources: delete, list and restore.
import { randomUUID } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { Type } from 'typebox';
import { AppError } from '../../../errors.ts';
import { totalDocs } from '../../../http/admin/request/readListing.ts';
import { pageQuery, readQuery } from '../../../http/admin/request/readQuery.ts';
import { type KeyedRoute, ok, tagged } from '../../../http/admin/request/route.ts';
import type { OnAir } from '../../../http/admin/routes/ports.ts';
import { auditedChange, capitalized, type DiscardRecord, recordNotFound } from '../../../http/admin/routes/record.ts';
import { isoText, type Millis } from '../../../time/units.ts';
import {
  type DeletedResponse,
  deletedResponse,
  kindFilter,
  type RestoredResponse,
  restoredResponse,
} from '../contract/deletedContract.ts';
import type { DeletedRecord, DeletedStore, Deletion, RestorableKind } from '../rules/deletedRecord.ts';

const path = '/api/v2/deleted';
const listQuery = Type.Object({ ...pageQuery.properties, kind: kindFilter });

const show = ({ deletedAt, until, ...record }: DeletedRecord): DeletedResponse => ({
  ...record,
  deletedAt: isoText(deletedAt),
  restorableUntil: isoText(until),
});

/** Deletes a record so that it can be restored for a day. */
export const discardRecord =
  (deleted: Pick<DeletedStore, 'discard'>, now: () => Millis): DiscardRecord =>
  async (kind, record, { caller, audit }, conditions = {}) => {
    const ref = randomUUID();
    const { tenant, id, name, version } = record;
    const of = { kind, tenant, id, version, ...(name === undefined ? {} : { name }) };
    const deletion: Deletion = { ref, ...of, deletedAt: now(), deletedBy: caller.email, ...conditions };
    return (await deleted.discard(deletion, audit.entry(auditedChange(kind, record, undefined))))
      ? { 'x-restore': `${path}/${ref}/restore` }
      : undefined;
  };

type Deps = {
  readonly deleted: DeletedStore;
  readonly onAir: Pick<OnAir, 'onChannelChanged' | 'onPlaylistChanged'>;
  readonly now: () => Millis;
  readonly log: FastifyBaseLogger;
};

export function deletedRoutes({ deleted, onAir, now, log }: Deps): KeyedRoute[] {
  async function notify(tenant: string, kind: RestorableKind, id: string) {
    try {
      if (kind === 'playlist') await onAir.onPlaylistChanged(id, tenant);
      if (kind === 'channel') await onAir.onChannelChanged({ tenant, id });
    } catch (error) {
      log.error({ err: error, tenant, kind, id }, 'planning after a restore failed');
    }
  }

  return tagged('deleted', [
    {
      method: 'GET',
      path,
      operationId: 'listDeleted',
      summary: 'List deleted records that can be restored, newest deletions first',
      description:
        'Playlists, channels, systems and ad sources can be restored for 24 hours, the newest 500 of a tenant.',
      query: listQuery,
      response: ok('A page of deleted records.', Type.Array(deletedResponse), totalDocs),
      example: { query: { kind: 'channel' } },
      handle: async ({ caller, query }) => {
        const { total, items } = await deleted.list(caller.tenant, readQuery(listQuery, query), now());
        return { status: 200, headers: { 'x-total-count': String(total) }, json: items.map(show) };
      },
    },
    {
      method: 'POST',
      path: `${path}/:ref/restore`,
      operationId: 'restoreDeleted',
      summary: 'Restore a deleted record',
      description:
        'The record is as it was, with the same ETag. The sessions of a channel continue within `OFF_AIR_GRACE`, as after disabling and enabling it.',
      response: ok('The restored record.', restoredResponse, { headers: { location: 'Path of the record.' } }),
      errors: [404, 409],
      example: { params: { ref: '2f9f4c52-6f3e-4d0c-9a57-3f1b7c0d8e11' } },
      handle: async ({ caller: { tenant }, params: { ref = '' }, audit, afterwards }) => {
        const record = /^[0-9a-f-]{36}$/.test(ref) ? await deleted.find(tenant, ref, now()) : undefined;
        if (record === undefined) throw recordNotFound('deletion', ref);
        const { kind, id, name } = record;
        const outcome = await deleted.restore(tenant, ref, now(), audit.entry({ kind, id, name }));
        if (outcome === 'unknown') throw recordNotFound('deletion', ref);
        const taken = {
          idTaken: `${capitalized(kind)} "${id}" exists again. Delete it first, then retry.`,
          keyTaken: `The API key of channel "${id}" is in use with this id. Create the channel again with another key.`,
        };
        if (outcome !== 'restored') throw new AppError('CONFLICT', taken[outcome]);
        afterwards(() => void notify(tenant, kind, id));
        const json: RestoredResponse = { kind, id };
        return { status: 200, headers: { location: `/api/v2/${kind.replace(' ', '-')}s/${id}` }, json };
      },
    },
  ]);
}
