// SPDX-License-Identifier: Apache-2.0
import { request } from 'undici';
import { afterAll, describe, expect, it } from 'vitest';
import { naming } from '../../../test/naming.ts';
import { startMisbehavingServer } from '../../../test/servers/misbehavingServer.ts';
import { createEgressGuard, EgressRefused } from './egressGuard.ts';

const server = await startMisbehavingServer();
afterAll(() => server.close());

const closed = createEgressGuard();

/** The address range for which the guard refuses the URL; `reached` if it allows it. */
async function verdict(url: string, guard = closed): Promise<string | undefined> {
  try {
    const { body } = await request(url, { dispatcher: guard });
    await body.dump();
    return 'reached';
  } catch (error) {
    if (!(error instanceof EgressRefused)) throw error;
    expect(error.message).toEqual(naming(error.range!, 'EGRESS_ALLOW'));
    return error.range;
  }
}

describe('an address that is not public', () => {
  it.each([
    ['127.0.0.1', 'loopback'],
    ['127.8.9.10', 'loopback'],
    ['2130706433', 'loopback'], // a single number is an IPv4 address (WHATWG URL §3.5)
    ['0x7f.1', 'loopback'],
    ['0.0.0.0', 'unspecified'],
    ['10.1.2.3', 'private'],
    ['172.16.0.1', 'private'],
    ['192.168.1.1', 'private'],
    ['169.254.169.254', 'link local'],
    ['100.64.0.1', 'carrier grade nat'],
    ['198.18.0.1', 'reserved'],
    ['224.0.0.1', 'multicast'],
    ['255.255.255.255', 'broadcast'],
    ['[::1]', 'loopback'],
    ['[::]', 'unspecified'],
    ['[fe80::1]', 'link local'],
    ['[fd00::1]', 'unique local'],
    ['[fec0::1]', 'deprecated site local'],
    ['[ff02::1]', 'multicast'],
    ['[::ffff:127.0.0.1]', 'loopback'],
    ['[::ffff:a9fe:a9fe]', 'link local'],
    ['[::7f00:1]', 'reserved'], // IPv4-compatible IPv6 (RFC 4291 §2.5.5.1)
    ['[64:ff9b::7f00:1]', 'rfc6052'], // NAT64
    ['[2002:7f00:1::]', '6to4'],
  ])('%s is refused: %s', async (host, range) => {
    expect(await verdict(`http://${host}:${server.port}/ok`)).toBe(range);
    expect(server.seen).toEqual([]);
  });

  it('is refused after DNS if a name resolves to it', async () => {
    expect(await verdict(`http://localhost:${server.port}/ok`)).toBe('loopback');
    expect(server.seen).toEqual([]);
  });

  it('is refused over TLS too', async () => {
    expect(await verdict(`https://127.0.0.1:${server.port}/ok`)).toBe('loopback');
    expect(await verdict(`https://localhost:${server.port}/ok`)).toBe('loopback');
  });
});

describe('EGRESS_ALLOW', () => {
  it.each([['127.0.0.0/8'], ['127.0.0.1/32'], ['127.0.0.1'], ['::ffff:127.0.0.1']])(
    'allows loopback with %s',
    async (cidr) => {
      const guard = createEgressGuard({ allow: [cidr] });
      expect(await verdict(`${server.url}/ok`, guard)).toBe('reached');
      expect(
        await verdict(`http://[::ffff:127.0.0.1]:${server.port}/ok`, guard).catch((error) => error.code),
      ).not.toContain('EGRESS');
    },
  );

  it('allows a name that resolves to a listed address, and only that address', async () => {
    const guard = createEgressGuard({ allow: ['127.0.0.1/32'] });
    expect(await verdict(`http://localhost:${server.port}/ok`, guard)).toBe('reached');
    expect(await verdict(`http://127.0.0.2:${server.port}/ok`, guard)).toBe('loopback');
    expect(await verdict(`http://[::1]:${server.port}/ok`, guard)).toBe('loopback');
  });

  it('must list CIDR ranges', () => {
    const invalid = (entry: string) =>
      expect.objectContaining({ code: 'WRONG_CIDR', message: naming('EGRESS_ALLOW', `"${entry}"`) });
    for (const entry of ['10.0.0.0/40', 'intranet'])
      expect(() => createEgressGuard({ allow: [entry] })).toThrow(invalid(entry));
  });
});
