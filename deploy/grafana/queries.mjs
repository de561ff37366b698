// SPDX-License-Identifier: Apache-2.0
// Parts of the queries of the dashboard.

/** Selects the nodes of the variables. */
export const nodes = 'job=~"$job",instance=~"$instance"';

export const rate = (metric, labels = nodes) => `rate(${metric}{${labels}}[$__rate_interval])`;
