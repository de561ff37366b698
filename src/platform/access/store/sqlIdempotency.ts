// SPDX-License-Identifier: Apache-2.0
// Stores requests with an Idempotency-Key, for all nodes. What was requested and returned is encrypted: responses can contain new
// API keys.
import { sql } from 'kysely';
import type { SecretBox } from '../../../adapters/sql/secrets/secretBox.ts';
import type { Sql } from '../../../adapters/sql/sql.ts';
import {
  type ClaimedKey,
  IDEMPOTENCY_KEPT_MS,
  type IdempotencyStore,
  type KeyedRequest,
  MAX_KEYS,
  MAX_RESPONSE,
  MAX_RESPONSES,
  RUNNING_MS,
  type StoredResponse,
} from '../rules/idempotency.ts';

/** Rows that one statement deletes. */
const MAX_DELETED = 500;

export function sqlIdempotency({ db, run, atomically }: Sql, box: SecretBox): IdempotencyStore {
  const ownerOf = ({ tenant, keyHash }: KeyedRequest) => `idempotency/${tenant}/${keyHash}`;
  const ofKey = ({ tenant, keyHash }: KeyedRequest) => sql<boolean>`tenant = ${tenant} and key_hash = ${keyHash}`;
  // The id of the request: another one may have claimed the key since.
  const ofRequest = (request: KeyedRequest) =>
    sql<boolean>`${ofKey(request)} and request_id = ${request.requestId} and state = 'running'`;

  async function read(request: KeyedRequest, now: number): Promise<ClaimedKey | undefined> {
    const row = await db
      .selectFrom('idempotency_keys')
      .selectAll()
      .where(ofKey(request))
      .where('started_at', '>=', now - IDEMPOTENCY_KEPT_MS)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    if (box.open(row.request, ownerOf(request)) !== request.request) return { outcome: 'otherRequest' };
    const requestId = row.request_id;
    if (row.state === 'done')
      return row.response === null
        ? { outcome: 'notKept', requestId }
        : { outcome: 'completed', response: JSON.parse(box.open(row.response, ownerOf(request))) as StoredResponse };
    const isRunning = row.state === 'running' && now - Number(row.started_at) < RUNNING_MS;
    return isRunning ? { outcome: 'running' } : { outcome: 'unknown', requestId };
  }

  return {
    async claim(request, now) {
      const { tenant, keyHash, requestId } = request;
      const known = await read(request, now);
      // Most repeated requests write nothing.
      if (known !== undefined) return known;
      const ofTenant = sql`from idempotency_keys where tenant = ${tenant}`;
      const texts = [tenant, keyHash, requestId, 'running', box.seal(request.request, ownerOf(request))];
      const insertion = sql`
        insert into idempotency_keys (tenant, key_hash, request_id, state, request, started_at, size)
        select ${sql.join(texts.map((text) => sql`cast(${text} as text)`))}, cast(${now} as bigint), 0
        where (select count(*) ${ofTenant}) < ${sql.lit(MAX_KEYS)}
          and (select coalesce(sum(size), 0) ${ofTenant}) < ${sql.lit(MAX_RESPONSES)}
        on conflict (tenant, key_hash) do nothing`;
      const old = db
        .deleteFrom('idempotency_keys')
        .where(ofKey(request))
        .where('started_at', '<', now - IDEMPOTENCY_KEPT_MS);
      const [, inserted] = await atomically([old, insertion]);
      if (inserted === 1) return { outcome: 'claimed' };
      return (await read(request, now)) ?? { outcome: 'full' };
    },
    async complete(request, response) {
      const text = JSON.stringify(response);
      const isKept = text.length <= MAX_RESPONSE;
      await run(
        db
          .updateTable('idempotency_keys')
          .set({
            state: 'done',
            size: isKept ? text.length : 0,
            response: isKept ? box.seal(text, ownerOf(request)) : null,
          })
          .where(ofRequest(request)),
      );
    },
    giveUp: async (request) =>
      void (await run(db.updateTable('idempotency_keys').set({ state: 'unknown' }).where(ofRequest(request)))),
    release: async (request) => void (await run(db.deleteFrom('idempotency_keys').where(ofRequest(request)))),
    async removeOld(now) {
      const old = db
        .selectFrom('idempotency_keys')
        .select('key_hash')
        .where('started_at', '<', now - IDEMPOTENCY_KEPT_MS)
        .orderBy('started_at')
        .limit(MAX_DELETED);
      const { numDeletedRows } = await db
        .deleteFrom('idempotency_keys')
        .where('started_at', '<', now - IDEMPOTENCY_KEPT_MS)
        .where('key_hash', 'in', old)
        .executeTakeFirst();
      return Number(numDeletedRows) >= MAX_DELETED;
    },
  };
}
