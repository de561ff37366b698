// SPDX-License-Identifier: Apache-2.0
// Creatives that are faulty or unusual.
import { faultyMedia } from './faultyMedia.ts';
import { mediaFaults } from './mediaFaults.ts';
import { testFaults } from './testFaults.ts';

testFaults(mediaFaults, faultyMedia);
