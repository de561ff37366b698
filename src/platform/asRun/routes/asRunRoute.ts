// SPDX-License-Identifier: Apache-2.0
// The as-run log of a channel: what is stored, and what has been on air since.
import { Type } from 'typebox';
import type { ChannelRef } from '../../../channels/channelKey.ts';
import type { ChannelStore } from '../../../channels/ports.ts';
import { negotiate } from '../../../http/admin/request/negotiate.ts';
import { totalDocs } from '../../../http/admin/request/readListing.ts';
import { pageQuery, readQuery } from '../../../http/admin/request/readQuery.ts';
import { readRange, type TimeRange } from '../../../http/admin/request/readRange.ts';
import { type KeyedRoute, ok } from '../../../http/admin/request/route.ts';
import { writeCsv } from '../../../http/admin/response/writeCsv.ts';
import { findLinearChannel } from '../../../http/admin/routes/findChannel.ts';
import type { Sent } from '../../../http/contract/matching.ts';
import { withoutUndefined } from '../../../invariant.ts';
import type { AsRunRow } from '../../../scheduling/asRun.ts';
import { isoText, type Millis, millis } from '../../../time/units.ts';
import { type AsRunPage, asRunPage, asRunQuery } from '../contract/asRunContract.ts';
import type { AsRunStore } from '../rules/ports.ts';
import type { AsRun } from '../rules/recordAsRun.ts';

const DAY_MS = 86_400_000;
const CSV = 'text/csv';
/** Rows per query of CSV. */
const CSV_PAGE = 500;

const query = Type.Object({ ...asRunQuery, ...pageQuery.properties });
type Page = { readonly offset: number; readonly limit: number };
type ShownRow = Sent<AsRunPage['items'][number]>;

function show({ from, to, ...row }: AsRunRow, isOnAir: boolean): ShownRow {
  const plannedStart = 'plannedStart' in row && row.plannedStart !== undefined ? isoText(row.plannedStart) : undefined;
  const shown = { ...row, plannedStart, from: isoText(from) };
  if (!isOnAir) return { ...shown, to: isoText(to) };
  return { ...shown, ...('asset' in row && { asset: { url: row.asset.url, in: row.asset.in } }), isOnAir };
}

const columns = [
  ...['from', 'to', 'kind', 'entryId', 'title', 'upid', 'plannedStart', 'asset', 'in', 'out', 'breakId', 'insertedId'],
  ...['markers', 'differences', 'id'],
] as const;

function toCsvRow({ asset, upid, differences, isOnAir: _, ...row }: ShownRow) {
  const played = { asset: asset?.url, in: asset?.in, out: asset?.out, upid: upid && `${upid.type}=${upid.value}` };
  return withoutUndefined({ ...row, ...played, differences: differences.join(' ') });
}

type Deps = {
  readonly asRun: Pick<AsRun, 'unstored'>;
  readonly store: Pick<AsRunStore, 'list'>;
  readonly channels: Pick<ChannelStore, 'find'>;
  readonly now: () => Millis;
};

export function asRunRoute({ asRun, store, channels, now }: Deps): KeyedRoute {
  /** Finds pages of a range. */
  async function openRange(channel: ChannelRef, { from, to }: TimeRange) {
    // Rows that are stored meanwhile are among those that are not stored.
    const { storedUntil = from, ended, onAir } = await asRun.unstored(channel);
    const stored = { from, to: millis(Math.min(to, storedUntil)) };
    const recent = [...ended, ...(onAir ? [onAir] : [])].filter((row) => row.from < to && row.to > from);
    return async ({ offset, limit }: Page): Promise<{ total: number; items: ShownRow[] }> => {
      const { total, items } = await store.list(channel, stored, { offset, limit });
      const first = Math.max(0, offset - total);
      const rows = [...items, ...recent.slice(first, Math.max(first, offset + limit - total))];
      return { total: total + recent.length, items: rows.map((row) => show(row, row === onAir)) };
    };
  }

  async function* csvOf(pageAt: Awaited<ReturnType<typeof openRange>>) {
    yield writeCsv(columns, []);
    for (let offset = 0; ; offset += CSV_PAGE) {
      const { total, items } = await pageAt({ offset, limit: CSV_PAGE });
      yield writeCsv(columns, items.map(toCsvRow), false);
      if (offset + CSV_PAGE >= total) return;
    }
  }

  return {
    tag: 'reports',
    channelAccess: { param: 'id' },
    method: 'GET',
    path: '/api/v2/channels/:id/as-run',
    operationId: 'getAsRun',
    summary: 'Read the as-run log of a linear channel',
    description:
      'What was on air, computed from what was published: a row for everything that overlaps the range, whole, in the order of time. CSV contains all rows. Kept as long as reports. The response for channels of other types is a 409.',
    query,
    headers: { accept: `\`${CSV}\` for CSV.` },
    response: ok('A page of rows.', asRunPage, { optionalHeaders: totalDocs.headers, text: [CSV] }),
    errors: [404, 409],
    example: { params: { id: 'channel-one' }, query: { from: '2026-03-01T00:00:00Z', to: '2026-03-02T00:00:00Z' } },
    handle: async (request) => {
      const { offset, limit, format, ...given } = readQuery(query, request.query);
      const range = readRange(given, ({ from, to = now() }) => ({ to, from: from ?? millis(to - DAY_MS) }));
      const channel = await findLinearChannel(request, channels, 'an as-run log');
      const pageAt = await openRange(channel, range);
      const headers = { vary: 'accept' };
      const isCsv =
        format === undefined ? negotiate(request.headers.accept, ['application/json', CSV]) === CSV : format === 'csv';
      if (isCsv)
        return {
          status: 200,
          headers,
          pages: { contentType: `${CSV}; charset=utf-8; header=present`, content: csvOf(pageAt) },
        };
      const json: Sent<AsRunPage> = await pageAt({ offset, limit });
      return { status: 200, headers: { ...headers, 'x-total-count': String(json.total) }, json };
    },
  };
}
