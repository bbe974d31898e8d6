:- module(hb_rooms, []).

/** <module> The capabilities of an engine

Each line loads one capability (capability.pl).
*/

:- use_module(dml/room).
:- use_module(host/room).
:- use_module(memory/room).
:- use_module(workflow/room).
