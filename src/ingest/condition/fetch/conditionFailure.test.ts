// SPDX-License-Identifier: Apache-2.0
// The faults of creatives, caused by real servers and real programs.
import { chmod, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Agent } from 'undici';
import { expect, it } from 'vitest';
import { opened, scratchFolder } from '../../../../test/opened.ts';
import { startMisbehavingServer } from '../../../../test/servers/misbehavingServer.ts';
import { createHttpOrigin } from '../../../adapters/http/httpOrigin.ts';
import { createFfmpeg } from '../../../adapters/media/ffmpeg.ts';
import { importAsset } from '../../import/importAsset.ts';
import { fetchFault, manifestFault, programFault, thrownFault } from './conditionFailure.ts';

const agent = await opened(new Agent(), (one) => one.destroy());
const origin = createHttpOrigin(agent, { idleMs: 300 });
const folder = scratchFolder();
const server = await opened(startMisbehavingServer());

it.each([
  ['/status?code=404', 'NOT_FOUND'],
  ['/status?code=410', 'NOT_FOUND'],
  ['/status?code=403', 'NOT_FETCHED'],
  ['/status?code=503', 'NOT_FETCHED'],
  ['/reset', 'NOT_FETCHED'],
  ['/notHttp', 'NOT_FETCHED'],
  ['/never', 'TIMED_OUT'],
  ['/declaresTooMuch', 'TOO_LARGE'],
  ['/endless', 'TOO_LARGE'],
])('a file at %s has the fault %s', async (path, fault) => {
  const saved = await origin.save(server.url + path, join(folder, 'file'), { maxBytes: 1_000_000, timeoutMs: 60_000 });
  if (saved.ok) throw new Error('it was saved');
  expect(fetchFault(saved)).toBe(fault);
});

it('a full disk is not a fault of the file', async () => {
  const path = join(folder, 'full');
  // The origin deletes the link after the failure, but not the device.
  await symlink('/dev/full', path);
  const saved = await origin.save(`${server.url}/ok`, path);
  if (saved.ok) throw new Error('it was saved');
  expect(fetchFault(saved)).toBe('NO_ROOM');
});

it.each([
  ['/status?code=404', 'NOT_FOUND'],
  ['/status?code=500', 'NOT_FETCHED'],
  ['/ok', 'MANIFEST'],
  ['/never', 'TIMED_OUT'],
])('a manifest at %s has the fault %s', async (path, fault) => {
  const imported = await importAsset(server.url + path, origin, { timeoutMs: 1500 });
  if (imported.ok) throw new Error('it was imported');
  expect(manifestFault(imported)).toBe(fault);
});

it('a program that exits with an error is a fault of the media, one that is killed is not', async () => {
  const faultOf = async (script: string) => {
    const path = join(folder, 'program');
    await writeFile(path, `#!/bin/sh\n${script}\n`);
    await chmod(path, 0o755);
    const result = await createFfmpeg({ ffmpegPath: path }).run('ffmpeg', { arguments: [], folder, timeoutMs: 60_000 });
    if (result.ok) throw new Error('it succeeded');
    return programFault(result, 'NOT_ENCODED');
  };
  expect(await faultOf('exit 1')).toEqual({ fault: 'NOT_ENCODED', isPermanent: true });
  expect(await faultOf('kill -9 $$')).toEqual({ fault: 'BROKEN_OFF', isPermanent: false });
  const full = Object.assign(new Error(), { code: 'ENOSPC' });
  expect([thrownFault(full), thrownFault(new Error('ENOSPC'))]).toEqual(['NO_ROOM', 'NOT_MADE']);
  expect(programFault({ ok: false, code: 'ENOSPC', reason: '', stderr: '' }, 'UNREADABLE').fault).toBe('NO_ROOM');
});
