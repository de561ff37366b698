// A thousand playlists of a thousand items: a page at the end costs what a page at the start does.
import { beforeAll, expect, test } from 'vitest';
import { onBothStores } from './onBothStores.ts';

const contents = Array.from(
  { length: 1000 },
  (_, n) => ({ sourceType: 'url', url: `https://media.example.com/${n}/a.m3u8` }) as const,
);

onBothStores(({ admin, call }) => {
  beforeAll(async () => {
    const owner = { tenant: 'acme', createdBy: 'ann@example.com', createdAt: '2026-01-01T00:00:00.000Z' };
    for (let from = 0; from < 1000; from += 50)
      await Promise.all(
        Array.from({ length: 50 }, (_, n) =>
          admin().deps.playlists.insert({ ...owner, id: `p${from + n}`, status: 'disabled', contents }),
        ),
      );
  });
  /** The milliseconds that two requests take at best, asked in turn: what else the machine does only adds to them. */
  async function costs(paths: readonly [string, string], times = 20): Promise<[number, number]> {
    const taken: [number[], number[]] = [[], []];
    for (let n = 0; n < times; n += 1)
      for (const side of [0, 1] as const) {
        const from = performance.now();
        expect((await call('GET', paths[side])).status).toBe(200);
        taken[side].push(performance.now() - from);
      }
    return [Math.min(...taken[0]), Math.min(...taken[1])];
  }

  test('lists and reads stay fast', async () => {
    const page = (offset: number) => `/api/v2/playlists?limit=5&offset=${offset}`;
    expect((await call('GET', page(995))).headers['x-total-count']).toBe('1000');
    const [first, last] = await costs([page(0), page(995)]);
    const [newest, oldest] = await costs(['/api/v2/playlists/p999', '/api/v2/playlists/p0']);
    expect(last / first).toBeLessThan(2);
    expect(oldest / newest).toBeLessThan(2);
    expect(first).toBeLessThan(500);
    expect(newest).toBeLessThan(200);
  });
});
