:- module(hb_resets,
          [ enclosing_reset/3           % +Frame, -Ball, -Outer
          ]).

/** <module> The system's reset/3 on the stack

A module of its own, because in one that defines a reset/3 of its own prolog_frame_attribute/3 looks
for that.
*/

%!  enclosing_reset(+Frame, -Ball, -Outer) is semidet.
%
%   The innermost call of the system's reset/3 around Frame takes Ball; Outer is the frame around that,
%   or `none`.

enclosing_reset(Frame, Ball, Outer) :-
    prolog_frame_attribute(Frame, parent_goal(Outer), reset(_, Ball, _)).
