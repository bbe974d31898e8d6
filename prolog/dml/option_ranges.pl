:- module(hb_option_ranges,
          [ range/4                     % ?Option, -Type, -Least, -Most
          ]).

/** <module> What the options of tasks may be

The options of runs that stand for them have the same ranges: the conductor reads this table, a line each.
*/

%!  range(?Option, -Type, -Least, -Most) is nondet.
%
%   An Option of tasks is a number of Type, from Least to Most.  The most seconds are a week.

range(temperature, number, 0, 100).
range(top_p, number, 0, 1).
range(max_output_tokens, integer, 1, 1000000000).
range(retries, integer, 0, 1000).
range(call_timeout, number, 0, 604800).
