// A channel whose system keeps its report events in a search domain: the reports come from there, say so when it is away,
// and miss nothing once it is back; the stream knows nothing of it.
import { expect } from 'vitest';
import { startSearchServer } from '../../search/searchServer.ts';
import { item, openVirtualStage, type Stage } from '../stage.ts';

const ID = '7a1ed002-ab5e-4c06-9a3e-2f1f5f0a9c12';

/** In a Midroll of its own: that a report cannot be had is an error in its log. */
export async function searchKeepsReports(): Promise<void> {
  const stage = await openVirtualStage();
  try {
    await watchAndRead(stage);
  } finally {
    await stage.close();
  }
}

async function watchAndRead(stage: Stage): Promise<void> {
  const server = await startSearchServer();
  stage.onClose(() => server.close());
  const system = { id: ID, name: 'Search', type: 'ssai', settings: server.settings() };
  expect((await stage.midroll.api('POST', '/systems', system)).status).toBe(201);
  const video = await stage.video({ seconds: 8 });
  await stage.air('searched', [item(video)], { systemId: ID });
  const viewer = await stage.watch('searched', { fetches: false });
  const read = () => stage.midroll.api('GET', `/systems/${ID}/reports/viewers?by=channel`);
  const minutes = async () => {
    await server.refresh();
    const { status, json } = await read();
    return status === 200 ? (json.totals.minutesWatched as number) : Number.NaN;
  };
  await viewer.until('minutes in the report', async () => (await minutes()) > 0.3);
  expect((await read()).json.totals).toMatchObject({ sessionsStarted: 1, peakViewers: 1 });
  const stateOf = async () => (await stage.midroll.api('GET', `/systems/${ID}`)).json;
  expect(await stateOf()).toMatchObject({ state: 'working' });

  const known = await minutes();
  server.faults.push(...Array.from({ length: 20_000 }, () => ({ disconnects: 'before' }) as const));
  await viewer.until('a report that says what is wrong', async () => (await read()).status === 503);
  const { json } = await read();
  expect(json).toMatchObject({
    name: 'UnavailableError',
    message: expect.stringMatching(/^The search domain of this/),
  });
  await viewer.until('a state that says so', async () => (await stateOf()).state === 'failing');
  server.faults.length = 0;
  await viewer.until('what was counted meanwhile', async () => (await minutes()) > known + 0.3);
  await viewer.leave();
  expect(viewer.faults).toEqual([]);
}
