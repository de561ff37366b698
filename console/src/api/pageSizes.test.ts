// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { pageQuery } from '../../../src/http/admin/request/readQuery.ts';
import { beaconQuery } from '../../../src/http/contract/beaconContract.ts';
import { MAX_BEACONS, MAX_PAGE_SIZE } from './pageSizes.ts';

test('page sizes are the limits of the contract', () => {
  expect(pageQuery.properties.limit).toMatchObject({ maximum: MAX_PAGE_SIZE });
  expect(beaconQuery.properties.limit).toMatchObject({ maximum: MAX_BEACONS });
});
