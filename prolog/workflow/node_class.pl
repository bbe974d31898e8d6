:- module(hb_node_class,
          [ node_class/3                % ?Name, ?Arity, -Class
          ]).
:- use_module('../sandbox/policy').
:- use_module('../sandbox/files', [file_predicate/2]).
:- use_module(block, [node_predicate/2]).

/** <module> The predicates that only the code of nodes has, and those that it is refused
*/

%!  node_class(?Name, ?Arity, -Class) is nondet.
%
%   The classes, as in hb_policy:class/3, of what only nodes have.  Library predicates that reach
%   the host are refused by name even if this engine does not have them, like those it has.

node_class(Name, Arity, offered(hb_workflow)) :-
    node_predicate(Name, Arity).
node_class(Name, Arity, refused) :-
    file_predicate(Name, Arity).
node_class(Name, Arity, refused) :-
    host_predicate(Name, Arities),
    '$member'(Arity, Arities),
    \+ class(Name, Arity, _).

%   host_predicate(?Name, ?Arities): predicates of libraries for processes, the network, files or
%   other languages.

host_predicate(process_create, [3]).
host_predicate(process_wait, [2,3]).
host_predicate(process_kill, [1,2]).
host_predicate(tcp_socket, [1]).
host_predicate(tcp_connect, [2,3,4]).
host_predicate(tcp_bind, [2]).
host_predicate(tcp_listen, [2]).
host_predicate(tcp_accept, [3]).
host_predicate(tcp_open_socket, [2,3]).
host_predicate(tcp_close_socket, [1]).
host_predicate(tcp_host_to_address, [2]).
host_predicate(socket_create, [2]).
host_predicate(udp_socket, [1]).
host_predicate(udp_send, [4]).
host_predicate(udp_receive, [4]).
host_predicate(unix_domain_socket, [1]).
host_predicate(negotiate_socks_connection, [2]).
host_predicate(http_open, [3]).
host_predicate(http_get, [3]).
host_predicate(http_post, [4]).
host_predicate(http_put, [4]).
host_predicate(http_delete, [3]).
host_predicate(http_client, [2]).
host_predicate(http_server, [2]).
host_predicate(http_daemon, [0,1]).
host_predicate(ssl_context, [3]).
host_predicate(ssl_negotiate, [5]).
host_predicate(chdir, [1]).
host_predicate(cd, [0,1]).
host_predicate(ls, [0,1]).
host_predicate(pwd, [0]).
host_predicate(make, [0]).
host_predicate(edit, [0,1]).
host_predicate(shell, [0]).
host_predicate(qsave_program, [1]).
host_predicate(open_shared_object, [2,3]).
host_predicate(process_id, [1,2]).
host_predicate(csv_read_file, [2,3]).
host_predicate(csv_write_file, [2,3]).
host_predicate(load_html, [3]).
host_predicate(load_xml, [3]).
host_predicate(load_structure, [3]).
host_predicate(read_file_to_terms, [3]).
host_predicate(read_file_to_string, [3]).
host_predicate(read_file_to_codes, [3]).
host_predicate(read_term_from_stream, [2]).
host_predicate(directory_member, [3]).
host_predicate(directory_file_path, [3]).
host_predicate(make_directory_path, [1]).
host_predicate(copy_file, [2]).
host_predicate(link_file, [3]).
host_predicate(delete_directory_and_contents, [1]).
host_predicate(delete_directory_contents, [1]).
host_predicate(setenv, [2]).
host_predicate(unsetenv, [1]).
host_predicate(getenv, [2]).
host_predicate(fork, [1]).
host_predicate(exec, [1]).
host_predicate(pipe, [2]).
host_predicate(kill, [2]).
host_predicate(use_foreign_library, [1,2]).
host_predicate(load_foreign_library, [1,2]).
host_predicate(py_call, [1,2,3]).
host_predicate(py_iter, [2,3]).
host_predicate(py_run, [5]).
host_predicate(odbc_connect, [3]).
host_predicate(thread_create, [1,2,3]).
host_predicate(thread_send_message, [2,3]).
host_predicate(message_queue_create, [1,2]).
host_predicate(mutex_create, [1,2]).
