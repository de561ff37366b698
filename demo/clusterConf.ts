// SPDX-License-Identifier: Apache-2.0
import { join } from 'node:path';

/** nginx for several nodes. Relative to this file and to the program in dist/. */
export const clusterConf = join(import.meta.dirname, '../deploy/nginx/cluster.conf');
