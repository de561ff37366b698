// SPDX-License-Identifier: Apache-2.0
declare module 'cluster-key-slot' {
  /** The hash slot of a key (Redis Cluster specification). */
  const calculateSlot: (key: string) => number;
  export = calculateSlot;
}
