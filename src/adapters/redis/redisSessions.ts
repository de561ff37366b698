// SPDX-License-Identifier: Apache-2.0
// Sessions and their decisions in Redis. A session's keys are on one node, and each change is one script, so a decision is written
// once whichever nodes decide. Channels, imports and the ledger stay in the database.

import { randomBytes } from 'node:crypto';
import type { Odometer } from '../../ads/placement/decision.ts';
import { channelKey } from '../../channels/channelKey.ts';
import { groupBy } from '../../invariant.ts';
import type { SessionState, SessionStore, StoredDecision } from '../../sessions/ports.ts';
import { keepUntilOf, type OpenedTitle, type Session } from '../../sessions/session.ts';
import { BREAKS_KEPT_MS, foldOld, MAX_BREAKS } from '../../sessions/sessionRules.ts';
import { millis } from '../../time/units.ts';
import { inChunks } from '../inChunks.ts';
import { pack, unpack } from '../packJson.ts';
import type { Part } from './parts.ts';
import { type OffChannels, redisExpiry } from './redisExpiry.ts';
import { redisSessionList } from './redisSessionList.ts';
import { type Argument, pairsOf, type RedisStore, type Reply } from './redisStore.ts';
import { createScript } from './scripts/createScript.ts';
import { decide, findRecord, latestRecords, recorded, recordShown, settle } from './scripts/decisionScripts.ts';
import { create, find, seen, watching } from './scripts/sessionScripts.ts';
import { labelOf } from './scripts/viewsOf.ts';

/** Ids in one script. */
const MAX_IDS = 500;
/**
 * A decision that is younger may not be on a replica yet, if another node has written it. Servers drop a replica that has not
 * responded for a minute (`repl-timeout`).
 */
const MAYBE_UNACKNOWLEDGED_MS = 65_000;

type RedisSessionsDeps = {
  /** Keeps the assets of VoD sessions in the database. Called before the session is stored. */
  readonly keepAssets: (title: OpenedTitle) => Promise<void>;
  /** The channels that are switched off, or were so until after an instant. */
  readonly offChannels: OffChannels;
  /** Whether what is removed is set aside for the history (src/sessions/history). */
  readonly keepsTraces?: boolean;
};

/** @returns the decision with what identifies its writer */
const stored = (decision: StoredDecision): string =>
  `${decision.startsAt}:${decision.writer ?? randomBytes(6).toString('base64url')}:${JSON.stringify(decision)}`;
const readDecision = (text: string): StoredDecision => JSON.parse(text.slice(text.indexOf('{'))) as StoredDecision;

/** Milliseconds. The clock of a replica that has become the master may be so much behind. */
const OVERLAP = 1000;

function readState(fields: Reply): SessionState | undefined {
  const values = new Map(pairsOf(fields));
  const [body, odometer] = [values.get('b'), values.get('o')];
  if (body === undefined || odometer === undefined) return undefined;
  const decisions = [...values]
    .flatMap(([name, value]) => (name.startsWith('d:') ? [readDecision(value)] : []))
    .sort((one, other) => one.startsAt - other.startsAt);
  return {
    session: JSON.parse(body) as Session,
    decisions,
    odometer: JSON.parse(odometer) as Odometer,
    foldedBefore: millis(Number(values.get('f'))),
    ...(values.get('w') === '1' ? {} : { isUnwatched: true }),
  };
}

export function redisSessions(
  store: RedisStore,
  { keepAssets, offChannels, keepsTraces = false }: RedisSessionsDeps,
): SessionStore {
  const { parts } = store;

  async function findState(id: string): Promise<SessionState | undefined> {
    return readState(await store.run(parts.of(id), find, [id, MAYBE_UNACKNOWLEDGED_MS]));
  }

  /** Finding the parts of many sessions costs more than reading all. */
  function partsOf(ids: { keys(): Iterable<string>; readonly size: number }): readonly Part[] {
    return ids.size > parts.all.length ? parts.all : [...new Set([...ids.keys()].map(parts.of))];
  }

  const recordOf = async (reply: Reply) => (reply === null ? undefined : unpack<never>(reply as Buffer));

  return {
    find: findState,
    ...redisClaims(store),
    list: redisSessionList(store),
    expire: redisExpiry(store, offChannels, keepsTraces),
    async create(session, odometer) {
      const { id, kind } = session;
      const vod = kind === 'film' ? session.vod : undefined;
      if (vod !== undefined) await keepAssets(vod);
      await store.run(parts.of(id), create, [
        ...[
          id,
          channelKey({ id: session.channelId, tenant: session.tenant }),
          session.openedAt,
          keepUntilOf(session) ?? '',
        ],
        ...[JSON.stringify(session), JSON.stringify(odometer), session.life, kind === 'live' ? '1' : '0'],
      ]);
    },
    async decide(state, decision, record, foldBefore) {
      const { id } = state.session;
      const folded = foldOld(state, foldBefore);
      const isFolding = folded !== state;
      const kept = new Set(folded.decisions);
      const old = state.decisions.flatMap((one) => (kept.has(one) ? [] : [one.breakId]));
      const reply = (await store.run(parts.of(id), decide, [
        ...[id, decision.breakId, decision.startsAt, stored(decision), labelOf(record), await pack(record)],
        ...[BREAKS_KEPT_MS, MAX_BREAKS, keepsTraces ? 1 : 0],
        ...(isFolding ? [foldBefore, JSON.stringify(folded.odometer), state.foldedBefore, ...old] : []),
      ])) as readonly Reply[] | null;
      if (reply === null) return undefined;
      const [isFirst, isFolded] = reply;
      if (isFirst === 1 && isFolded === 1)
        return { state: { ...folded, decisions: [...folded.decisions, decision] }, isFirst: true };
      const now = await findState(id);
      return now === undefined ? undefined : { state: now, isFirst: isFirst === 1 };
    },
    async recorded(sessionIds, since) {
      const until = new Map(since);
      const decisions: { readonly sessionId: string; readonly decision: StoredDecision }[] = [];
      const failed = new Set<string>();
      const readPart = async (part: Part) => {
        const reply = await store.run(part, recorded, [(since.get(part.prefix) ?? 0) - OVERLAP]).catch(() => undefined);
        if (reply === undefined) return failed.add(part.prefix);
        const [now, ...found] = reply as readonly Reply[];
        until.set(part.prefix, Number(String(now)));
        for (const [sessionId, decision] of pairsOf(found))
          if (sessionIds.has(sessionId)) decisions.push({ sessionId, decision: readDecision(decision) });
        return failed;
      };
      await Promise.all(partsOf(sessionIds).map(readPart));
      return { decisions, until, isRead: (id) => !failed.has(parts.of(id).prefix) };
    },
    recordShown: (shown) =>
      Promise.all(
        shown.map(async ({ sessionId, decision, record }) => {
          const { breakId, startsAt } = decision;
          const args = [sessionId, breakId, startsAt, stored(decision), labelOf(record), await pack(record)];
          return (await store.run(parts.of(sessionId), recordShown, args)) === 1;
        }),
      ),
    settle: (settled) =>
      Promise.all(
        settled.map(async ({ sessionId, decision, record }) => {
          const kept = record === undefined ? ['', ''] : [labelOf(record), await pack(record)];
          const args = [sessionId, decision.breakId, stored(decision), ...kept];
          return (await store.run(parts.of(sessionId), settle, args)) === 1;
        }),
      ),
    async seen(ids, at) {
      const byPart = groupBy(ids, parts.of);
      const counts = await Promise.all(
        [...byPart].flatMap(([part, own]) =>
          inChunks(own, MAX_IDS).map(async (some) => Number(await store.run(part, seen, [at, ...some]))),
        ),
      );
      return counts.reduce((sum, count) => sum + count, 0);
    },
    async watching(tenant, channelIds, since) {
      if (channelIds.length === 0) return new Map();
      const keys = channelIds.map((id) => channelKey({ id, tenant }));
      const replies = await Promise.all(parts.all.map((part) => store.run(part, watching, [since, ...keys])));
      const counts = channelIds.map((id, index): [string, number] => [
        id,
        replies.reduce<number>((sum, reply) => sum + Number((reply as readonly Reply[])[index]), 0),
      ]);
      return new Map(counts.filter(([, count]) => count > 0));
    },
    findBreak: async (sessionId, breakId) =>
      recordOf(await store.run(parts.of(sessionId), findRecord, [sessionId, breakId])),
    async breaks(sessionId, most) {
      const replies = (await store.run(parts.of(sessionId), latestRecords, [sessionId, most])) as readonly Buffer[];
      return (await Promise.all(replies.map((reply) => unpack<never>(reply)))).reverse();
    },
  };
}

// Claims of the right to request the ads of a break, in Redis.

const textOf = (reply: Reply | undefined): string | undefined =>
  reply === null || reply === undefined ? undefined : String(reply);

function redisClaims(store: RedisStore): Pick<SessionStore, 'claim' | 'storeResponse' | 'takeResponse'> {
  const { parts } = store;
  return {
    async claim({ sessionId, breakId, startsAt, holder, at, until }) {
      const reply = await store.run(parts.of(sessionId), claim, [sessionId, breakId, startsAt, holder, at, until]);
      if (reply === null) return { isOurs: false };
      const response = textOf((reply as readonly Reply[])[1]);
      return { isOurs: true, ...(response === undefined ? {} : { response }) };
    },
    async storeResponse({ sessionId, breakId, holder, until }, response) {
      const args: Argument[] = [sessionId, breakId, holder, until ?? ''];
      await store.run(parts.of(sessionId), storeResponse, response === undefined ? args : [...args, response]);
    },
    takeResponse: async ({ sessionId, breakId, at }) =>
      textOf(await store.run(parts.of(sessionId), takeResponse, [sessionId, breakId, at])),
  };
}

// Scripts for claims: `<end of the lease>:<start of the break>:<holder>`, and the ad responses that are kept with them.

const claims = `
local id, breakId = ARGV[1], ARGV[2]
local claims, responses = recordsKey(id) .. ':c', recordsKey(id) .. ':a'
local claim = redis.call('HGET', claims, breakId)
local untilAt, startsAt, holder
if claim then untilAt, startsAt, holder = string.match(claim, '^(%d+):(%-?%d+):(.*)$') end
`;

/** Arguments: session, break, start, holder, now, end of the lease. @returns nothing, or 1 and the response that is kept */
const claim = createScript(
  'claim',
  `${claims}
if redis.call('EXISTS', sessionKey(id)) == 0 then return false end
if claim and holder ~= ARGV[4] and tonumber(untilAt) > tonumber(ARGV[5]) then return false end
redis.call('HSET', claims, breakId, ARGV[6] .. ':' .. ARGV[3] .. ':' .. ARGV[4])
return { 1, redis.call('HGET', responses, breakId) }
`,
);

/** Arguments: session, break, holder, end of the lease or empty, response or nothing. */
const storeResponse = createScript(
  'storeResponse',
  `${claims}
if not claim or holder ~= ARGV[3] then return 0 end
if ARGV[4] ~= '' then redis.call('HSET', claims, breakId, ARGV[4] .. ':' .. startsAt .. ':' .. holder) end
if ARGV[5] then redis.call('HSET', responses, breakId, ARGV[5]) else redis.call('HDEL', responses, breakId) end
return 1
`,
);

/** Arguments: session, break, now. @returns the response, which is removed with the claim */
const takeResponse = createScript(
  'takeResponse',
  `${claims}
if not claim or tonumber(untilAt) <= tonumber(ARGV[3]) then return false end
local response = redis.call('HGET', responses, breakId)
if not response then return false end
redis.call('HDEL', responses, breakId)
redis.call('HDEL', claims, breakId)
return response
`,
);
