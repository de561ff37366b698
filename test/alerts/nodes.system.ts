// SPDX-License-Identifier: Apache-2.0
// Two nodes on one PostgreSQL database: each event is made and delivered once, both nodes stream it, and one node takes over
// from the other.
import { afterAll, expect, test } from 'vitest';
import { apiKey } from '../live/midroll.ts';
import { type Node, startNode } from '../nodes/startNode.ts';
import { opened, scratchFolder } from '../opened.ts';
import { createDatabase } from '../servers/postgresDatabase.ts';
import { startWebhookReceiver } from './webhookReceiver.ts';

const folder = scratchFolder();
const [postgres, receiver] = await Promise.all([opened(createDatabase()), opened(startWebhookReceiver())]);
const settings = { DATABASE_URL: postgres.url, DATA_DIR: folder };
let nodes: Node[] = [await startNode(settings), await startNode(settings)];
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.close()));
});

/** The states of the events that a node streams until the stream ends. */
function follow({ adminUrl }: Node): { readonly states: string[]; readonly ended: Promise<void> } {
  const states: string[] = [];
  const read = async () => {
    const headers = { 'x-api-key': apiKey, 'last-event-id': '0' };
    const response = await fetch(`${adminUrl}/api/v2/events/stream?seconds=3600`, { headers });
    let text = '';
    for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
      text += piece;
      states.splice(
        0,
        states.length,
        ...[...text.matchAll(/^data: (.*)$/gm)].map(([, json]) => JSON.parse(json!).state),
      );
    }
  };
  return { states, ended: read() };
}

test('an event is made and delivered once, and streamed by both nodes, also after one of them ends', async () => {
  const [one, two] = nodes as [Node, Node];
  const { json } = await one.api('POST', '/webhooks', { id: 'ops', url: `${receiver.url}/ops` });
  receiver.secrets.set('/ops', json.secret);
  await one.create('channels', { id: 'empty', state: 'enabled' });
  const rule = { id: 'air', kind: 'off-air', forMinutes: 1, webhooks: ['ops'] };
  expect((await two.api('POST', '/alert-rules', rule)).status).toBe(201);
  const streams = [follow(one), follow(two)] as const;
  await expect.poll(() => streams.map(({ states }) => states)).toEqual([['firing'], ['firing']]);
  await expect.poll(() => receiver.at('/ops').length).toBe(1);
  expect(receiver.received).toMatchObject([{ isVerified: true, message: { type: 'alert.firing' } }]);

  await one.close();
  await streams[0].ended;
  nodes = [two];
  await two.api('PATCH', '/channels/empty', { state: 'disabled' });
  await expect.poll(() => streams[1].states).toEqual(['firing', 'resolved']);
  await expect.poll(() => receiver.at('/ops').length).toBe(2);
  expect(receiver.received[1]).toMatchObject({ isVerified: true, message: { type: 'alert.resolved' } });
  expect((await two.api('GET', '/events')).json).toHaveLength(2);
  expect([...one.bugs(), ...two.bugs()]).toEqual([]);
});
