// What a look at the whole needs, in one answer each: who one is, and what is on air on every channel.
import { Type } from 'typebox';
import type { Channel } from '../../../channels/channel.ts';
import { type Millis, millis } from '../../../time/units.ts';
import { installationAnswer, type OnAirChannel, onAirAnswer } from '../../consoleContract.ts';
import { pageQuery, readQuery } from '../request/readQuery.ts';
import type { KeyedRoute } from '../request/route.ts';
import type { AdminDeps } from './ports.ts';

/** How far ahead the next break is looked for. */
const AHEAD_MS = 3_600_000;

export function consoleRoutes({ channels, onAir, now, liveUrl, version }: AdminDeps): KeyedRoute[] {
  async function look({ id, name, playlistId, ...rest }: Channel, at: Millis, viewers: number): Promise<OnAirChannel> {
    const channel = { id, name, playlistId, ...rest } as Channel;
    const [{ state, stateReason, preparation }, { entries }] = await Promise.all([
      onAir.channelStatus(channel, false),
      onAir.channelTimeline(channel, at, millis(at + AHEAD_MS)),
    ]);
    const [current, next] = entries;
    const nextBreak = entries.find(({ kind, startsAt }) => kind === 'break' && Date.parse(startsAt) > at);
    return {
      id,
      ...(name === undefined ? {} : { name }),
      state,
      ...(stateReason === undefined ? {} : { stateReason }),
      ...(preparation === undefined ? {} : { preparation }),
      ...(playlistId === undefined ? {} : { playlistId }),
      viewers,
      ...(current ? { now: current } : {}),
      ...(next ? { next } : {}),
      ...(nextBreak ? { nextBreak } : {}),
    };
  }

  return [
    {
      tag: 'installation',
      method: 'GET',
      path: '/api/v2/installation',
      operationId: 'getInstallation',
      summary: 'Whose key this is, and where players go',
      answer: { status: 200, description: 'this installation, as the key sees it', schema: installationAnswer },
      errors: [],
      example: {},
      handle: async (request) => {
        const { tenant, email } = request.caller;
        return { status: 200, json: { version, tenant, email, liveUrl: liveUrl(request) } };
      },
    },
    {
      tag: 'channels',
      method: 'GET',
      path: '/api/v2/on-air',
      operationId: 'listOnAir',
      summary: 'What every channel shows now and next, and how many watch, newest channel first',
      query: pageQuery,
      answer: {
        status: 200,
        description: 'a page of channels as they are on air',
        schema: Type.Array(onAirAnswer),
        headers: { 'x-total-count': 'how many there are on all pages' },
      },
      errors: [],
      example: {},
      handle: async ({ caller, query }) => {
        const { total, items } = await channels.list(caller.tenant, readQuery(pageQuery, query));
        const at = now();
        const viewers = await onAir.viewerCounts(
          caller.tenant,
          items.map(({ id }) => id),
        );
        const json = await Promise.all(items.map((channel) => look(channel, at, viewers.get(channel.id) ?? 0)));
        return { status: 200, headers: { 'x-total-count': String(total) }, json };
      },
    },
  ];
}
