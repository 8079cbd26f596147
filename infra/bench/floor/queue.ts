/** The floor's own task queue, so that it shares nothing with the product but the Temporal server. */
export const floorQueue = 'everturn-bench-floor';
