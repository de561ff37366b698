// SPDX-License-Identifier: Apache-2.0
// Ad servers, documents and ads that are faulty. Faulty media are in mediaFaults.system.ts.
import { expect, test } from 'vitest';
import { adFaults } from './adFaults.ts';
import { documentFaults } from './documentFaults.ts';
import { exchangeFaults } from './exchangeFaults.ts';
import { requestsIn, testFaults } from './testFaults.ts';

testFaults([...exchangeFaults, ...documentFaults, ...adFaults], ['long']);

test('macros in a media URL are filled before it is requested, once for all viewers', () => {
  const requests = requestsIn('returns a media URL with macros').filter(({ path }) => path.startsWith('/media'));
  expect(requests.map(({ path }) => path)).toEqual([expect.stringMatching(/^\/media\?b=\d{8}$/)]);
});
