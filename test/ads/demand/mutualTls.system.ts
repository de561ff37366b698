// SPDX-License-Identifier: Apache-2.0
// An ad source whose servers require a client certificate: each of three processes presents it to the ad server, whichever of them
// sends the beacons presents it to the tracking host, and all present the one that replaces it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeVast } from '../../live/adHost.ts';
import { opened, scratchFolder } from '../../opened.ts';
import { seededRandom } from '../../seededRandom.ts';
import { createDatabase } from '../../servers/postgresDatabase.ts';
import { createAuthority, presentedName, startTlsServer } from '../mutualTls.ts';
import { ledgerOf, openNodes } from './demandNodes.ts';
import { addSources, airSteps, untilReady } from './demandStage.ts';

const folder = scratchFolder();
const authority = createAuthority(folder);
const trusted = join(folder, 'trusted.pem');
writeFileSync(trusted, authority.ca);
const database = await opened(createDatabase());
const settings = { DATABASE_URL: database.url, NODE_EXTRA_CA_CERTS: trusted };
const { stage, nodes } = await openNodes(settings, seededRandom(1));

/** The certificates that were presented with ad requests, by node, and with beacons. */
const presented = { ads: [] as string[], beacons: [] as string[] };
const spot = await stage.spot(4);
const trackers = await opened(
  startTlsServer(authority, ({ socket }, response) => {
    presented.beacons.push(presentedName(socket));
    response.writeHead(204).end();
  }),
);
const adServer = await opened(
  startTlsServer(authority, ({ url = '', socket }, response) => {
    presented.ads.push(`${presentedName(socket)} ${new URL(url, 'https://ads').searchParams.get('node')}`);
    const tracking = `https://localhost:${trackers.port}/[EVENT]`;
    const text = writeVast([{ id: 'a', seconds: 4, url: spot, tracking }]);
    response.writeHead(200, { 'content-type': 'application/xml' }).end(text);
  }),
);

test('requests and beacons of an ad source present its client certificate, and the next one after it was replaced', async () => {
  const url = `https://127.0.0.1:${adServer.port}/vast?node=[PLAYER.node]`;
  const certified = (name: string) => ({ clientCertificate: { ...authority.issue(name), hosts: ['localhost'] } });
  await addSources(stage, [{ id: 'certified', type: 'vast', url, ...certified('first') }]);
  await airSteps(stage, 'tls', [['certified']]);
  await untilReady(stage, 'tls', [4]);
  const viewers = await Promise.all(
    nodes.map(({ liveUrl }, index) =>
      stage.watch('tls', { liveUrl, query: `node=${index}`, dash: false, isTimed: false, fetches: 'ours' }),
    ),
  );
  const untilPresented = async (name: string) => {
    for (const [index, viewer] of viewers.entries())
      await viewer.until(`node ${index} presents "${name}"`, () => presented.ads.includes(`${name} ${index}`));
    await viewers[0]!.until(`beacons present "${name}"`, () => presented.beacons.includes(name));
  };
  await untilPresented('first');
  await stage.api('PATCH', '/ad-sources/certified', certified('second'));
  await untilPresented('second');
  await Promise.all(viewers.map((viewer) => viewer.leave()));
  expect(viewers.flatMap(({ faults }) => faults)).toEqual([]);
  expect(new Set(presented.beacons)).toEqual(new Set(['first', 'second']));
  expect((await ledgerOf(nodes[0]!)).filter(({ outcome }) => outcome === 'failed')).toEqual([]);
  expect(nodes.flatMap((node) => node.bugs())).toEqual([]);
});
