// SPDX-License-Identifier: Apache-2.0
// A system that stores its report events in a search domain. During an outage of the domain reports return 503; afterwards
// they are complete. Streams are not affected.
import { expect } from 'vitest';
import { openedInTest } from '../../opened.ts';
import { startSearchServer } from '../../search/searchServer.ts';
import { item, openVirtualStage } from '../stage.ts';

const ID = '7a1ed002-ab5e-4c06-9a3e-2f1f5f0a9c12';

/** Starts its own Midroll, because an unavailable report is logged as an error. */
export async function searchKeepsReports(): Promise<void> {
  const stage = await openedInTest(openVirtualStage());
  const server = await openedInTest(startSearchServer());
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
  await viewer.until('the report counts minutes', async () => (await minutes()) > 0.3);
  expect((await read()).json.totals).toMatchObject({ sessionsStarted: 1, peakViewers: 1 });
  const stateOf = async () => (await stage.midroll.api('GET', `/systems/${ID}`)).json;
  expect(await stateOf()).toMatchObject({ state: 'working' });

  const known = await minutes();
  server.faults.push(...Array.from({ length: 20_000 }, () => ({ disconnects: 'before' }) as const));
  await viewer.until('the report returns 503', async () => (await read()).status === 503);
  const { json } = await read();
  expect(json).toMatchObject({
    name: 'UnavailableError',
    message: expect.stringMatching(/^The search domain of this/),
  });
  await viewer.until('the system is failing', async () => (await stateOf()).state === 'failing');
  server.faults.length = 0;
  await viewer.until('the report counts the minutes of the outage', async () => (await minutes()) > known + 0.3);
  await viewer.leave();
  expect(viewer.faults).toEqual([]);
}
