"""Portuguese words of an instruction."""

from consolidate.steps.instructions.lexicon import Language

PORTUGUESE = Language(
    "Portuguese",
    {
        "ignore": (
            "ignora, ignore, ignorem, ignorar, esquece, esqueça, esqueçam, esquecer, desconsidera, desconsidere, "
            "desconsiderem, desconsiderar, despreza, despreze, descarta, descarte, descartar, omite, omita, "
            "contorna, contorne, contornar, burle, burlar, pula, pule, pular, não sigas, não siga, "
            "deixa de seguir, deixe de seguir, pare de seguir, para de seguir, desobedece, desobedeça, anula, "
            "anule, anular, desativa, desative, desativar, viola, viole, passa por cima, passe por cima, apaga, "
            "apague, abandona, abandone, sobrescreva, substitua, não leve em conta, não leves em conta, "
            "não obedeça, deixa de lado, deixe de lado"
        ),
        "rules": (
            "instrução, instruções, regra, regras, diretriz, diretrizes, directriz, directrizes, norma, normas, "
            "ordens, orientação, orientações, prompt*, política, políticas, restrição, restrições, limite, "
            "limites, limitação, limitações, filtro, filtros, protocolo*, comando, comandos, verificações, "
            "confirmações, confirmação, indicações, diretivas"
        ),
        "system_rules": (
            "prompt do sistema, prompt de sistema, prompts do sistema, mensagem do sistema, mensagem de sistema, "
            "mensagens do sistema, instruções do sistema, instruções de sistema, instruções do desenvolvedor, "
            "instruções do programador, regras do sistema, regras de segurança, normas de segurança, "
            "diretrizes de segurança, protocolos de segurança, protocolo de segurança, medidas de segurança, "
            "filtros de segurança, verificações de segurança, política de conteúdo, políticas de conteúdo, "
            "políticas de uso, filtros de conteúdo, filtro de conteúdo, diretrizes éticas, regras éticas, "
            "instruções originais, instruções iniciais, instruções ocultas, prompt inicial, prompt oculto, "
            "restrições habituais, restrições de segurança, tua programação, sua programação, "
            "políticas de segurança"
        ),
        "prior": (
            "anterior, anteriores, prévia, prévias, prévio, prévios, precedente, precedentes, acima, antes, "
            "original, originais, inicial, iniciais, existentes, dadas, recebidas, até agora, passadas, sistema, "
            "que te deram, recebeu, anteriormente"
        ),
        "own": "teu, teus, tua, tuas",
        "theirs": "seu, seus, sua, suas",
        "all": "todo, toda, todos, todas, cada, qualquer, quaisquer, nenhuma",
        "everything": "tudo, tudo o, o que, aquilo que",
        "told": (
            "que te disseram, te disseram, lhe disseram, foi dito, te disse, eu disse, você aprendeu, "
            "aprendeste, você sabe, sabes, conversamos, falamos, discutimos, dissemos, te ensinaram, "
            "lhe ensinaram, lhe foi dito, te foi dito, foi falado"
        ),
        "context": (
            "tudo acima, tudo o que está acima, tudo que está acima, tudo o que veio antes, o texto acima, "
            "texto anterior, todo o contexto, contexto anterior, conversa anterior, mensagens anteriores, "
            "a conversa até agora, as palavras acima, tudo anterior, o exposto acima"
        ),
        "new_rules": (
            "nova instrução, novas instruções, nova diretriz, novas diretrizes, nova regra, novas regras, "
            "nova ordem, novas ordens, nova tarefa, nova missão, novo objetivo, novo papel, novo prompt, "
            "verdadeira tarefa, tarefa real, verdadeira missão, verdadeiro objetivo, instrução importante, "
            "instruções importantes, instrução urgente, instruções urgentes, instruções adicionais, "
            "instruções atualizadas, única tarefa, objetivo real"
        ),
        "supersede": (
            "substitui, substituem, anula, anulam, prevalece sobre, prevalecem sobre, tem prioridade sobre, "
            "têm prioridade sobre, sobrepõe, sobrepõem"
        ),
        "off": (
            "desativado, desativados, desativada, desativadas, desligado, desligados, não se aplicam, "
            "não se aplica, já não se aplicam, não valem, não valem mais, já não valem, não são válidas, "
            "suspensas, suspensos, anuladas, anulados, canceladas, isento, isenta, sem efeito, obsoletas, "
            "não são aplicáveis, não foram feitas para, não se aplicam mais, revogadas, revogados"
        ),
        "become": (
            "agora és, agora você é, és agora, você agora é, já não és, você não é mais, você é, tu és, finge, "
            "finja, simula, simule, age como, aja como, atue como, atua como, faz de conta, faça de conta, "
            "imagina, imagine, comporta te como, comporte se como, faz o papel, faça o papel, assume o papel, "
            "assuma o papel, responde como, responda como, entra no modo, entre no modo, ativa, ative, "
            "muda para, mude para, interprete, torna te, torne se, seja"
        ),
        "unbound": (
            "sem restrições, sem restrição, sem limites, sem limite, sem filtros, sem filtro, sem regras, "
            "sem normas, sem censura, sem nenhuma restrição, sem qualquer restrição, sem quaisquer restrições, "
            "sem limitações, nenhuma restrição, nenhuma regra, nenhum filtro, nenhum limite, irrestrit*, "
            "não censurad*, não tens regras, não tem regras, não tem restrições, não tens restrições, "
            "não tem limites, não tem filtros, ilimitad*, modo desenvolvedor, modo programador, "
            "modo administrador, modo deus, modo de depuração, livre de todas, livre de restrições, sem ética, "
            "sem moral, sem diretrizes"
        ),
        "lacking": "não ter, não tivesse, sem, nenhuma, nenhum, não tens, não tem, livre de, isento de",
        "jailbreak": (
            "modo desenvolvedor ativado, você é dan, agora você é dan, você agora é dan, modo sem restrições, "
            "modo irrestrito"
        ),
        "alter": "dan",
        "respond": (
            "responde, responda, respondam, responder, obedece, obedeça, obedecer, prossegue, prossiga, "
            "prosseguir, gera, gere, gerar, cumpre, cumpra, cumprir, continua, continue, atenda, atender, executa"
        ),
        "reborn": (
            "agora és, agora você é, você agora é, já não és, você não é mais, a partir de agora você é, "
            "a partir de agora és, seu nome agora é"
        ),
        "reveal": (
            "revela, revele, revelem, revelar, mostra, mostre, mostrem, mostrar, mostra me, mostre me, "
            "me mostre, diz me, diga me, me diga, imprime, imprima, imprimir, repete, repita, repetir, exibe, "
            "exiba, exibir, dá me, me dê, divulga, divulgue, divulgar, partilha, partilhe, compartilhe, "
            "compartilha, lista, liste, listar, copia, copie, cita, cite, vaza, vaze, expõe, exponha, publica, "
            "publique, entrega, entregue, traduza, resume, qual é, quais são, escreva, me envie, forneça, "
            "exporta, exporte, recite"
        ),
        "secret": (
            "prompt do sistema, prompt de sistema, mensagem do sistema, mensagem de sistema, "
            "instruções do sistema, instruções de sistema, teu prompt, seu prompt, tuas instruções, "
            "suas instruções, tuas regras, suas regras, suas diretrizes, tuas diretrizes, sua configuração, "
            "instruções ocultas, instruções internas, instruções secretas, instruções iniciais, "
            "instruções originais, prompt oculto, prompt inicial, configuração interna, seus segredos"
        ),
        "leak": "vaza, vaze, vazar, exfiltra, exfiltre, exfiltrar, rouba, roube",
        "private": (
            "chave api, chaves api, chaves de api, chave de api, chaves da api, credenciais, senha, senhas, "
            "palavra passe, palavras passe, segredos, dados de clientes, dados dos clientes, lista de clientes, "
            "banco de dados, base de dados, dados internos, dados confidenciais, dados pessoais, dados privados, "
            "dados sensíveis, dados dos usuários, dados de usuários, informações confidenciais, "
            "informações pessoais, informações privadas, cartão de crédito, cartões de crédito, dados bancários, "
            "tokens, código fonte, confidencia*"
        ),
        "send": (
            "envia, envie, enviem, enviar, envia os, envie os, envie as, manda, mande, mandem, mandar, "
            "encaminha, encaminhe, encaminhar, reencaminha, reencaminhe, transmite, transmita, transmitir, "
            "carrega, carregue, publica, publique, partilha, partilhe, compartilhe, transfere, transfira, "
            "transferir, exporta, exporte, copia, copie, remeta, repassa, repasse"
        ),
        "data": (
            "dados, lista, resumo, conversa, conversas, histórico, conteúdo, mensagem, mensagens, arquivo, "
            "arquivos, ficheiro*, documento*, os, tudo, informações, informação, resultado*, resposta*, cópia, "
            "notas, contatos, contactos, memórias, memória, dinheiro, fatura*, relatório, detalhes, isso, isto"
        ),
        "money": "dinheiro, euros, reais, dólares, valor, bitcoin, pagamento",
        "call": (
            "chama, chame, chamar, usa, use, usar, utiliza, utilize, utilizar, executa, execute, executar, "
            "invoca, invoque, roda, rode, aciona, acione"
        ),
        "tool_word": (
            "a ferramenta, ferramenta, esta ferramenta, a função, função, o comando, este comando, "
            "o seguinte comando, o seguinte código, este código, o script, este script, a api, uma requisição, "
            "requisição http"
        ),
        "destroy": (
            "elimina, elimine, eliminar, apaga, apague, apagar, exclui, exclua, excluir, deleta, delete, "
            "deletar, esvazia, esvazie, destrói, destrua, destruir, sobrescreva, formata, formate, remova, "
            "remover"
        ),
        "target": (
            "arquivo, arquivos, ficheiro, ficheiros, banco de dados, base de dados, pasta, pastas, diretório*, "
            "tabela, tabelas, conta, contas, dados, registros, registos, backup*, cópias de segurança, "
            "mensagens, usuários, utilizadores, memórias, e mails"
        ),
        "grant": (
            "concede, conceda, dá, dê, dar, outorgue, trata, trate, considera, considere, autoriza, autorize, "
            "aprova, aprove, permite, permita, atribua"
        ),
        "privilege": (
            "admin, administrador, administradora, acesso de administrador, direitos de administrador, "
            "permissões de administrador, acesso root, acesso total, acesso completo, acesso ilimitado, "
            "todas as permissões, todos os pedidos, todas as solicitações, privilégios, verificado"
        ),
        "checks": "confirmação, verificação, autenticação, aprovação, autorização",
        "verify": "verifiques, verifique, peças confirmação, peça confirmação, valide",
        "comply": (
            "faz exatamente o que, faça exatamente o que, faz tudo o que, faça tudo o que, faça o que diz, "
            "obedece a tudo, obedeça a tudo, obedeça a todas, obedeça a todos, obedeça qualquer, me obedeça, "
            "siga apenas, segue apenas, siga somente, siga as seguintes instruções, siga estas instruções, "
            "segue estas instruções, siga as instruções contidas, siga a instrução, execute as instruções, "
            "cumpra todas, cumpra todos, aceite todos, aceite todas, aprove todos, aprove todas, nunca recuse, "
            "responda a tudo, atenda a todos, atenda a todas"
        ),
        "decode": "decodifica, decodifique, decodificar, descodifica, descodifique, decifra, decifre, base64",
        "turn": (
            "quando leres isto, quando ler isto, quando você ler isto, ao ler isto, ao ler isso, "
            "ao processar este, ao processar esta, ao resumir, antes de responder, antes de continuar, "
            "na tua resposta, na sua resposta, no teu resumo, no seu resumo, na próxima resposta, "
            "na sua próxima resposta, no final da sua*, no fim da tua*, no início da sua*, ao final da sua*, "
            "à sua resposta, se és uma ia, se você é uma ia, como ia, sempre que responder, depois de ler isto, "
            "no final de suas*"
        ),
        "append": (
            "inclui, inclua, incluir, adiciona, adicione, adicionar, acrescenta, acrescente, acrescentar, "
            "insere, insira, inserir, menciona, mencione, mencionar, anexa, anexe, repete, repita, termina, "
            "termine, começa, comece, escreve, escreva, coloca, coloque, assina, assine, adicionado, adicionada, "
            "incluído, incluída, inserido, mencionado, acrescentado, cita, cite, encerre, finalize"
        ),
        "reply": (
            "resposta, respostas, resumo, resumos, saída, mensagem, mensagens, conversa, conversas, sessão, "
            "sessões, relatório, e mail, retorno"
        ),
        "only": "apenas com, somente com, só com, apenas, somente",
        "later": (
            "futura, futuras, futuro, futuros, próxima, próximas, próximo, próximos, seguinte, seguintes, posteriores"
        ),
        "must": "deve, devem, deverá, deverão, deveria, tem de, têm de, tem que, têm que, precisa ser, é preciso",
        "oblige": (
            "deves, você deve, deverás, você deverá, tens de, tens que, você tem que, você tem de, você precisa, "
            "não deves, você não deve, você não pode, ordeno que, te ordeno, a tua tarefa é, sua tarefa é, "
            "sua missão é, seu objetivo é, certifica te de, certifique se de, assegure se de, você vai, "
            "você só pode"
        ),
        "urge": "quero que, preciso que",
        "always": (
            "sempre, nunca, jamais, em todos os momentos, sem exceção, em hipótese alguma, toda vez, permanentemente"
        ),
        "hence": (
            "pelo resto da conversa, pelo resto desta conversa, a partir de agora, de agora em diante, "
            "daqui em diante, daqui para frente, doravante, desde já, a partir deste momento, no futuro, "
            "até nova ordem, até novo aviso, em cada resposta, em todas as respostas, "
            "em todas as suas respostas, em todas as conversas, em cada conversa, em futuras*, "
            "em todas as futuras, a partir de hoje"
        ),
        "steer": (
            "recomenda, recomende, recomendar, sugere, sugira, sugerir, diz, diga, dizer, menciona, mencione, "
            "mencionar, responde, responda, responder, afirma, afirme, afirmar, aconselha, aconselhe, indica, "
            "indique, indicar, cita, cite, encaminha, aprova, aprove, aprovar, segue, siga, seguir, obedece, "
            "obedeça, obedecer, adiciona, adicione, inclui, inclua, incluir, termina, termine, comece, escreve, "
            "escreva, escrever, fala, fale, falar, usa, use, usar, trata, trate, considere, revela, revele, "
            "revelar, ignora, ignore, ignorar, nega, negue, negar, mente, minta, mentir, confirma, confirme, "
            "confirmar, recusa, recuse, recusar, envia, envie, enviar, apaga, apague, apagar, elogia, elogie, "
            "elogiar, promove, promova, aceita, aceite, aceitar, confie, confiar, dê, transfira, transferir, "
            "priorize, finja"
        ),
        "when_asked": (
            "quando te perguntarem, quando lhe perguntarem, quando perguntarem, se te perguntarem, "
            "se lhe perguntarem, se perguntarem, quando alguém perguntar, se alguém perguntar, "
            "quando o usuário perguntar, se o usuário perguntar, quando o utilizador perguntar, "
            "se o utilizador perguntar, quando um usuário perguntar, se um usuário perguntar, "
            "sempre que perguntarem, sempre que alguém perguntar, quando eu perguntar, se eu perguntar, "
            "quando for perguntado, se for perguntado, quando perguntado, se perguntado, ao ser perguntado, "
            "quando os usuários perguntarem, sempre que o usuário perguntar, quando questionado"
        ),
        "store": (
            "guarda, guarde, guardar, armazena, armazene, armazenar, lembra, lembre, lembra te, lembre se, "
            "memoriza, memorize, memorizar, regista, registra, registre, registrar, anota, anote, anotar, grava, "
            "grave, gravar, salva, salve, salvar, atualiza, atualize, escreva, modifique, adicione, apague, "
            "mantenha, conserve"
        ),
        "memory": (
            "tua memória, sua memória, memória de longo prazo, a memória, na memória, em memória, como um fato, "
            "como fato, como um facto, como facto, como verdade, de forma permanente, permanentemente, "
            "nas suas notas, nas tuas notas, suas memórias, perfil do usuário, perfil do utilizador, "
            "para futuras*, para todas as futuras, para as próximas*, base de conhecimento, como preferência, "
            "esta instrução, como regra"
        ),
        "remember_to": (
            "lembra te de dizer, lembre se de dizer, lembre se de sempre, lembre se sempre, "
            "lembre se de que você, lembre se de recomendar, lembre se de mencionar, não te esqueças de dizer, "
            "não se esqueça de dizer, não se esqueça de mencionar, não esqueça que você, "
            "não se esqueça de que você, nunca se esqueça de que você, lembre desta instrução, "
            "lembre se desta instrução, lembre se desta regra, lembra te que deves, lembre se que você, "
            "lembre que você"
        ),
        "not": "nada, não, nunca, jamais, evite, evita",
        "tell": (
            "digas, diga, dizer, contes, conte, contar, informes, informe, informar, menciones, mencione, "
            "mencionar, avises, avise, avisar, reveles, revele, revelar, mostres, mostre, notifique, notificar, "
            "deixes, deixe, perguntes, pergunte, fales, fale, comente"
        ),
        "user": (
            "o usuário, ao usuário, o utilizador, ao utilizador, os usuários, aos usuários, usuário, utilizador, "
            "ao humano, esta instrução, estas instruções, esta mensagem, esta nota, disto, disso, sobre isto, "
            "sobre isso"
        ),
        "hide": "oculta, oculte, esconde, esconda",
        "conceal": (
            "sem informar o usuário, sem avisar o usuário, sem dizer ao usuário, sem contar ao usuário, "
            "sem que o usuário, sem o conhecimento do usuário, sem informar o utilizador, "
            "sem avisar o utilizador, sem dizer ao utilizador, sem que o utilizador, sem pedir confirmação, "
            "mantém isto em segredo, mantenha isto em segredo, mantenha isso em segredo, guarde isto em segredo, "
            "guarde segredo, esconda isto do, esconda isso do, esconde isto do, oculte isto do, oculte isso do, "
            "o usuário não deve saber, o usuário não pode saber, o utilizador não pode saber, "
            "não conte a ninguém sobre, sem perguntar ao usuário"
        ),
        "agent": (
            "assistente, o assistente, a ia, assistente de ia, agente de ia, agentes de ia, modelo de linguagem, "
            "modelos de linguagem, chatbot, chatbots, o modelo, o bot, o agente, assistente virtual, "
            "modelo de ia, sistemas de ia"
        ),
        "you": "tu, ti, você, vocês, te, lhe",
        "note_to": (
            "nota para o assistente, nota ao assistente, nota para a ia, nota à ia, mensagem para o assistente, "
            "mensagem ao assistente, mensagem para a ia, mensagem à ia, instrução para o assistente, "
            "instruções para o assistente, instruções ao assistente, instrução para a ia, instruções para a ia, "
            "instruções à ia, atenção ia, atenção assistente, caro assistente, querido assistente, cara ia, "
            "nota do sistema, aviso do sistema, mensagem do sistema, a qualquer ia, para o assistente de ia"
        ),
        "report": (
            "disse, pediu, pede, pedido, perguntou, pergunta, quer, queria, gostaria, contou, conta, explicou, "
            "explica, mencionou, pensa, acha, acredita, espera, decidiu, planeja, aconselhou, sugeriu, "
            "recomendou, tenta, tentou, prefere, gosta, lembrou, discutiram, conversaram, falaram, escreveu, "
            "ordenou, mandou, exigiu, exige, afirmou, solicitou, propôs, aprendeu, comentou, insistiu, deseja"
        ),
        "lead": (
            "por favor, e, depois, então, agora, também, simplesmente, ou, primeiro, imediatamente, importante, "
            "atenção, além disso, em segredo, só, apenas, somente"
        ),
    },
)
