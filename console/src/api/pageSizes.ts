// SPDX-License-Identifier: Apache-2.0
// The largest pages that the API returns. The contract defines them; the test compares the two, because the console takes
// nothing but types from the server.
export const MAX_PAGE_SIZE = 100;
export const MAX_BEACONS = 1000;
