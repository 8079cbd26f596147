const { join } = require('node:path');

const cruiser = join(__dirname, '../../node_modules/dependency-cruiser/src');
const { default: IndexedModuleGraph } = require(join(cruiser, 'graph-utl/indexed-module-graph.mjs'));

// The cruiser looks for a way between every two modules of a rule by itself, from scratch: most of a minute. It asks for
// one module after the other, so one search serves all that is asked of a module, and finds the shortest ways besides.
let searched = {};
IndexedModuleGraph.prototype.getPath = function (from, to) {
  if (searched.graph !== this || searched.from !== from) searched = { graph: this, from, steps: stepsTo(this, from) };
  const path = [];
  for (let step = searched.steps.get(to); step; step = searched.steps.get(step.before))
    path.unshift({ name: step.name, dependencyTypes: step.dependencyTypes });
  return path;
};

/** The last step of the shortest way to each module that one reaches. */
function stepsTo(graph, from) {
  const steps = new Map();
  const next = [from];
  for (const before of next)
    for (const { name, dependencyTypes = [] } of graph.findVertexByName(before)?.dependencies ?? [])
      if (name !== from && !steps.has(name)) {
        steps.set(name, { name, before, dependencyTypes });
        next.push(name);
      }
  return steps;
}
