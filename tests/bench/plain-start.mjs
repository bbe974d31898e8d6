// Started by the benchmark next to the server: Node, a plain instance with clpfd and sandbox, one answer.
import { plain } from './plain.mjs';

const { once } = await plain();
once('use_module(library(clpfd)), use_module(library(sandbox))');
once('X #> 3, X #< 5');
